import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import * as z from 'zod';

export interface Bundle {
  /** The folder of the chunks. */
  readonly dir: string;
  readonly chunks: readonly string[];
  /** SHA-256 of the names and contents of all chunks. */
  readonly hash: string;
  /** The files below the root whose code is in the chunks: others were read, and left out because nothing uses them. */
  readonly sources: readonly string[];
}

/** What decides what a bundle is, besides the files that it is made of. */
interface Wanted {
  readonly entry: string;
  readonly constants: Readonly<Record<string, unknown>>;
}

/** What lies beside the folder of a bundle. */
const keptInputs = z.object({
  wanted: z.string(),
  /** SHA-256 by the path of each file. */
  inputs: z.record(z.string(), z.string()),
  chunks: z.array(z.string()),
  hash: z.string(),
  sources: z.array(z.string()),
});

/** How bundles are made, and which file an import means. */
const RULES = [
  'package-lock.json',
  'package.json',
  '{agents,clouds,control,packaging,shared,test}/**/package.json',
  'packaging/binary/src/{bundle,name-exports,pure-schemas}.ts',
];

/**
 * The bundle that is in a folder, if it would be made the same again; undefined if any file that it was made of has
 * changed, or one of its chunks. To look takes less than a second, to make it ten of a processor.
 */
export async function unchangedBundle(root: string, dir: string, wanted: Wanted): Promise<Bundle | undefined> {
  const text = await ifThere(readFile(fileOf(dir), 'utf8'));
  if (text === undefined) return undefined;
  const kept = readNote(text);
  if (kept === undefined || kept.wanted !== textOf(wanted)) return undefined;
  const { chunks, hash, sources } = kept;
  const inputs = await hashesOf(root, Object.keys(kept.inputs));
  if (Object.entries(kept.inputs).some(([name, value]) => inputs[name] !== value)) return undefined;
  if (rulesOf(root).some((name) => !(name in kept.inputs))) return undefined;
  const texts = new Map<string, string>();
  for (const name of chunks) texts.set(name, (await ifThere(readFile(path.join(dir, name), 'utf8'))) ?? '');
  return hashOfChunks(texts) === hash ? { dir, chunks, hash, sources } : undefined;
}

/** The names of the chunks that a folder was last made of, as far as that is noted. */
export async function formerChunks(dir: string): Promise<ReadonlySet<string>> {
  const text = await ifThere(readFile(fileOf(dir), 'utf8'));
  return new Set(text === undefined ? [] : readNote(text)?.chunks);
}

function readNote(text: string): z.infer<typeof keptInputs> | undefined {
  try {
    return keptInputs.safeParse(JSON.parse(text)).data;
  } catch {
    // Somebody has changed it: the bundle is made again.
    return undefined;
  }
}

/**
 * Notes what a new bundle was made of, unless a file has changed since `startMs`, when esbuild began to read.
 *
 * @param made.inputs paths of files, relative to `root`
 */
export async function keepInputs(
  root: string,
  { dir, chunks, hash, sources }: Bundle,
  { entry, constants, inputs, startMs }: Wanted & { readonly inputs: readonly string[]; readonly startMs: number },
): Promise<void> {
  const names = [...rulesOf(root), ...inputs];
  const all = await hashesOf(root, names);
  const changes = await Promise.all(names.map(async (name) => (await stat(path.join(root, name))).ctimeMs));
  if (changes.some((changeMs) => changeMs >= startMs)) return rm(fileOf(dir), { force: true });
  const kept: z.infer<typeof keptInputs> = {
    wanted: textOf({ entry, constants }),
    inputs: all,
    chunks: [...chunks],
    hash,
    sources: [...sources],
  };
  await replaceFile(fileOf(dir), JSON.stringify(kept), { mode: 0o644 });
}

export function hashOfChunks(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [name, text] of texts) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex');
}

const textOf = ({ entry, constants }: Wanted): string => JSON.stringify({ entry, constants });

const fileOf = (dir: string): string => `${dir}.inputs.json`;

function rulesOf(root: string): readonly string[] {
  const isElsewhere = (name: string): boolean => ['node_modules', 'dist'].includes(path.basename(name));
  return globSync(RULES, { cwd: root, exclude: isElsewhere });
}

/** Thousands of small files at once: `sha256OfFile` takes a MiB of memory for each. A file that is not there has no hash. */
async function hashesOf(root: string, names: readonly string[]): Promise<Record<string, string>> {
  const hashes = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const bytes = await ifThere(readFile(path.join(root, name)));
      return [name, bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex')];
    }),
  );
  return Object.fromEntries(hashes);
}

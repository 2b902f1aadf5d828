import { copyFile, link, mkdir, readFile, readdir, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';

import type { AssetEntry, AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { parseAssetIndex } from '@kopsctl/assets/parse-asset-index.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';

import semver from 'semver';
import * as z from 'zod';

import { minorOf } from '@kopsctl/spec/minor-version.ts';
import type { CachedFile, CachedFolder } from './cached-folder.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { isUntouched } from './cached-folder.ts';
import type { Arch, Recipe } from './recipe.ts';

const INDEX = 'index.json';

/** Of Kubernetes only these are downloaded as programs; the others travel as images. */
const KUBERNETES_DOWNLOADS = new Set(['kubelet', 'kubectl']);

/** Programs travel in archives and images, except for those. */
function isDownloaded({ thing }: Recipe, { name }: CachedFile): boolean {
  if (thing.startsWith('programs/')) return false;
  return !isKubernetes(thing) || KUBERNETES_DOWNLOADS.has(name);
}

const isKubernetes = (thing: string): boolean => thing.startsWith('kubernetes-');

/**
 * Puts the made files into `out` and writes the index, last and in one piece: each file that an index names is there.
 * What an existing index says about other things and other minor versions stays.
 */
export async function publish(
  plan: readonly { readonly recipe: Recipe }[],
  folders: ReadonlyMap<string, CachedFolder>,
  arch: Arch,
  out: string,
): Promise<AssetIndex> {
  await mkdir(out, { recursive: true });
  const made: AssetEntry[] = [];
  for (const { recipe } of plan) {
    const folder = folders.get(recipe.thing);
    if (folder === undefined) throw new Error(`${recipe.thing} was planned but not made`);
    for (const file of folder.files) {
      if (!isDownloaded(recipe, file)) continue;
      const target = publishedName(recipe, file, arch);
      await place(path.join(folder.dir, file.file), path.join(out, target), file);
      made.push(entryOf(file, target, arch));
    }
  }
  await linkPrograms(made, out);
  const before = await readIndex(out);
  const replaced = new Set(made.map(identity));
  const kept = before.assets.filter((entry) => !replaced.has(identity(entry)));
  return writeIndex(out, [...made, ...kept]);
}

/** Adds image archives that were made elsewhere, so that machines can pull them. */
export async function publishImages(out: string, { dir, files }: CachedFolder, arch: Arch): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const file of files) await place(path.join(dir, file.file), path.join(out, file.file), file);
  const made = files.map((file) => entryOf(file, file.file, arch));
  const replaced = new Set(made.map(identity));
  const before = await readIndex(out);
  await writeIndex(out, [...made, ...before.assets.filter((entry) => !replaced.has(identity(entry)))]);
}

/** Adds the agents' binary, as it was just built, to the assets and their index. */
export async function publishAgents(options: {
  readonly assetsDir: string;
  readonly binary: string;
  /** The suite's version if it is not given. */
  readonly version?: string;
  readonly arch?: Arch;
}): Promise<AssetEntry> {
  const arch = options.arch ?? 'amd64';
  const name = `agents-${arch}`;
  await mkdir(options.assetsDir, { recursive: true });
  const { size, mtimeMs } = await stat(options.binary);
  const before = await readIndex(options.assetsDir);
  const known = before.assets.find((entry) => entry.name === name);
  if (known !== undefined && (await isUntouched(path.join(options.assetsDir, known.file), { size, mtimeMs }))) {
    return known;
  }
  const sha256 = await sha256OfFile(options.binary);
  // Named by its content: a cluster made earlier keeps pointing at the very binary that it pinned.
  const file = `kops-agents-${sha256.slice(0, 16)}-linux-${arch}`;
  await place(options.binary, path.join(options.assetsDir, file), { size, mtimeMs });
  const entry: AssetEntry = { name, version: options.version ?? (await suiteVersion()), arch, file, sha256, size };
  await writeIndex(options.assetsDir, [...before.assets.filter((other) => other.name !== name), entry]);
  await forgetOldAgents(options.assetsDir, file);
  return entry;
}

/** How many builds of the agents stay downloadable, for machines of clusters that were applied with them. */
const KEPT_AGENTS = 5;

async function forgetOldAgents(assetsDir: string, current: string): Promise<void> {
  const names = (await readdir(assetsDir)).filter((name) => name.startsWith('kops-agents-') && name !== current);
  const builds = await Promise.all(
    names.map(async (name) => ({ name, mtimeMs: (await stat(path.join(assetsDir, name))).mtimeMs })),
  );
  const oldestFirst = builds.toSorted((a, b) => a.mtimeMs - b.mtimeMs);
  for (const { name } of oldestFirst.slice(0, Math.max(0, builds.length + 1 - KEPT_AGENTS))) {
    await rm(path.join(assetsDir, name));
  }
}

/** `bin/kubectl` and the like: names that stay when versions change, for people and scripts on this machine. */
async function linkPrograms(made: readonly AssetEntry[], out: string): Promise<void> {
  await mkdir(path.join(out, 'bin'), { recursive: true });
  const newestLast = made.toSorted((a, b) =>
    semver.compare(semver.coerce(a.version) ?? '0.0.0', semver.coerce(b.version) ?? '0.0.0'),
  );
  for (const { name, file } of newestLast) {
    if (!KUBERNETES_DOWNLOADS.has(name)) continue;
    const placing = path.join(out, 'bin', `.${name}.new`);
    await rm(placing, { force: true });
    await symlink(path.join('..', file), placing);
    await rename(placing, path.join(out, 'bin', name));
  }
}

async function suiteVersion(): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, '../../../package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

async function writeIndex(out: string, assets: readonly AssetEntry[]): Promise<AssetIndex> {
  const index = { assets: assets.toSorted((a, b) => (identity(a) < identity(b) ? -1 : 1)) };
  const file = path.join(out, INDEX);
  await replaceFile(file, `${JSON.stringify(index, undefined, 2)}\n`, { mode: 0o644 });
  return index;
}

async function readIndex(out: string): Promise<AssetIndex> {
  const file = path.join(out, INDEX);
  const text = await ifThere(readFile(file, 'utf8'));
  return text === undefined ? { assets: [] } : parseAssetIndex(text, file);
}

/** One patch of each minor version is at hand. The names of etcd's archives hold the patch too. */
function identity({ name, version, arch }: AssetEntry): string {
  return `${name.replace(/-\d+\.\d+\.\d+$/, '')} ${minorOf(version)} ${arch}`;
}

function entryOf(
  { name, version, sha256, size, image, digest, urls }: CachedFile,
  file: string,
  arch: Arch,
): AssetEntry {
  return {
    name,
    version,
    arch,
    file,
    sha256,
    size,
    ...(image === undefined ? {} : { image }),
    ...(digest === undefined ? {} : { digest }),
    ...(urls === undefined ? {} : { urls }),
  };
}

/** One flat folder: any file server can mirror it. Kubernetes' programs carry no version in their names, so it is added. */
function publishedName(recipe: Recipe, { file, version }: CachedFile, arch: Arch): string {
  return isKubernetes(recipe.thing) ? `${file}-v${version}-linux-${arch}` : file;
}

/** Links where the file system allows it, because these are hundreds of MB; what is already there and untouched stays. */
async function place(
  source: string,
  target: string,
  recorded: { readonly size: number; readonly mtimeMs: number },
): Promise<void> {
  if (await isUntouched(target, recorded)) return;
  await mkdir(path.dirname(target), { recursive: true });
  const placing = `${target}.new`;
  await rm(placing, { force: true });
  try {
    await link(source, placing);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' && codeOf(error) !== 'EPERM') throw error;
    await copyFile(source, placing);
    await utimes(placing, recorded.mtimeMs / 1000, recorded.mtimeMs / 1000);
  }
  await rename(placing, target);
}

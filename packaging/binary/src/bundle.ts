import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { build, transform } from 'esbuild';

import { nameExports } from './name-exports.ts';

export const ROOT = path.join(import.meta.dirname, '../../..');

/** The chunk that a program starts with. */
export const MAIN_CHUNK = 'main.cjs';

export interface Bundle {
  /** The folder of the chunks. */
  readonly dir: string;
  readonly chunks: readonly string[];
  /** SHA-256 over names and texts of all chunks. */
  readonly hash: string;
}

/**
 * A program as CommonJS chunks in one folder: what the sources load lazily (`await import(…)`) is a chunk of its own,
 * read when it is asked for. So a start costs the time and memory of what it uses: a cloud's SDK is several megabytes.
 * The folder is left alone where it holds those texts already.
 */
export async function bundle(entry: string, dir: string): Promise<Bundle> {
  const texts = await commonJsChunks(entry, dir);
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(dir)) if (!texts.has(name)) await rm(path.join(dir, name));
  const hash = createHash('sha256');
  for (const [name, text] of texts) {
    hash.update(`${name}\0${text}\0`);
    const file = path.join(dir, name);
    if ((await readIfThere(file)) !== text) await writeFile(file, text);
  }
  return { dir, chunks: [...texts.keys()], hash: hash.digest('hex') };
}

/** esbuild splits ECMAScript modules only, so the chunks are made as such and each is turned into CommonJS after. */
async function commonJsChunks(entry: string, dir: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { outputFiles } = await build({
      entryPoints: { main: path.join(import.meta.dirname, entry) },
      absWorkingDir: ROOT,
      outdir: dir,
      outExtension: { '.js': '.cjs' },
      chunkNames: 'chunk-[hash]',
      write: false,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      minify: true,
      // Errors are told apart by their class names, also in what the SDKs throw.
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [nameExports],
      // The modules' own `if (import.meta.main)` must not start them a second time.
      define: {
        'import.meta.main': 'false',
        'import.meta.url': 'importMetaUrl',
        'import.meta.filename': '__filename',
        'import.meta.dirname': '__dirname',
      },
    });
    const chunks = await Promise.all(
      outputFiles.map(async (file) => [path.basename(file.path), await commonJs(file.text)] as const),
    );
    return new Map(chunks.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  } catch (cause) {
    throw new ActionableError({
      what: `bundle ${entry}`,
      why: messageOf(cause),
      next: 'see the imports named above: npm run check:types shows them with their places',
      cause,
    });
  }
}

async function commonJs(text: string): Promise<string> {
  const usesUrl = text.includes('importMetaUrl');
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    // A chunk is loaded by `require`, which a single executable answers from its own inside.
    supported: { 'dynamic-import': false },
    ...(usesUrl ? { banner: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' } : {}),
  });
  return code;
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

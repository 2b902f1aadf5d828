import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { build, type Metafile, transform } from 'esbuild';

import { nameExports } from './name-exports.ts';
import { pureSchemas } from './pure-schemas.ts';
import { replaceChunks } from './replace-chunks.ts';
import { type Bundle, formerChunks, hashOfChunks, keepInputs, unchangedBundle } from './unchanged-bundle.ts';

export type { Bundle };

export const ROOT = path.join(import.meta.dirname, '../../..');

/** The entry chunk of a program. */
export const MAIN_CHUNK = 'main.cjs';

/**
 * Bundles a program into CommonJS chunks in one folder. Each lazy import of the sources (`await import(…)`) becomes a
 * separate chunk, which is read on first use. So a start costs only the time and memory of what it uses: the SDK of a
 * cloud has several megabytes. A folder whose chunks would be the same is left as it is.
 *
 * @param constants values for names that the sources declare and do not define
 */
export async function bundle(
  entry: string,
  dir: string,
  constants: Readonly<Record<string, unknown>> = {},
): Promise<Bundle> {
  const kept = await unchangedBundle(ROOT, dir, { entry, constants });
  if (kept !== undefined) return kept;
  const startMs = Date.now();
  const { texts, inputs, sources } = await commonJsChunks(entry, dir, constants);
  await replaceChunks(dir, texts, { entry: MAIN_CHUNK, former: await formerChunks(dir), nowMs: startMs });
  const made = { dir, chunks: [...texts.keys()], hash: hashOfChunks(texts), sources };
  await keepInputs(ROOT, made, { entry, constants, inputs, startMs });
  return made;
}

interface Chunks {
  /** By name. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files that esbuild read. */
  readonly inputs: readonly string[];
  /** Those of them whose code is in a chunk. */
  readonly sources: readonly string[];
}

/** esbuild can split only ECMAScript modules, so each chunk is converted to CommonJS afterwards. */
async function commonJsChunks(
  entry: string,
  dir: string,
  constants: Readonly<Record<string, unknown>>,
): Promise<Chunks> {
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: { main: path.resolve(import.meta.dirname, entry) },
      absWorkingDir: ROOT,
      outdir: dir,
      outExtension: { '.js': '.cjs' },
      chunkNames: 'chunk-[hash]',
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'esm',
      target: 'node24',
      minify: true,
      // Errors, also those of the SDKs, are distinguished by their class names.
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [nameExports, pureSchemas],
      // For Node, the package offers each of its files as a CommonJS module; for browsers, the same code as one.
      alias: { yaml: path.join(ROOT, 'node_modules/yaml/browser/dist/index.js') },
      define: {
        ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
        // Prevents the modules' own `if (import.meta.main)` from running in the bundle.
        'import.meta.main': 'false',
        'import.meta.url': 'importMetaUrl',
        'import.meta.filename': '__filename',
        'import.meta.dirname': '__dirname',
      },
    });
    const chunks = await Promise.all(
      outputFiles.map(async (file) => [path.basename(file.path), await commonJs(file.text)] as const),
    );
    return {
      texts: new Map(chunks.toSorted(([left], [right]) => (left < right ? -1 : 1))),
      inputs: Object.keys(metafile.inputs).filter(isFile),
      sources: [...new Set(Object.values(metafile.outputs).flatMap(used))].filter(isFile).toSorted(),
    };
  } catch (cause) {
    throw new ActionableError({
      what: `bundle ${entry}`,
      why: messageOf(cause),
      next: 'fix the imports named above; `npm run check:types` shows their locations',
      cause,
    });
  }
}

const used = ({ inputs }: Metafile['outputs'][string]): readonly string[] =>
  Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));

/** Modules of plugins (`names-of-commonjs:…`) are made of files that are inputs too; constants are `<define:…>`. */
const isFile = (input: string): boolean => !/^(?:[\w-]+:|<|\()/.test(input);

/**
 * A chunk as esbuild writes it imports what it needs, and ends with one list of what it exports. esbuild's own conversion
 * adds seven functions to each chunk, and has each name of another chunk go through two of them, for modules of unknown
 * kinds; here all are of one kind. Exports stay getters: some variables are assigned only when a module is first used.
 */
async function commonJs(text: string): Promise<string> {
  const [list = '', names = ''] = /export\{([^{}]*)\};?\s*$/.exec(text) ?? [];
  const getters = names
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const [local = '', exported = local] = name.split(' as ');
      return `${exported}:{get:()=>${local},enumerable:true}`;
    });
  const body = text
    .slice(0, text.length - list.length)
    .replaceAll(/\bimport\(("\.\/[\w-]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))');
  const usesUrl = body.includes('importMetaUrl');
  const { code } = await transform(`Object.defineProperties(exports,{${getters.join(',')}});${body}`, {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    // Chunks are loaded by `require`, which a single executable serves from its archive.
    supported: { 'dynamic-import': false },
    ...(usesUrl ? { banner: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' } : {}),
  });
  return code;
}

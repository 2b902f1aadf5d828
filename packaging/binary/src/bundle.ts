import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { build } from 'esbuild';

export const ROOT = path.join(import.meta.dirname, '../../..');

/**
 * Everything a program needs in one CommonJS file, for a single executable can hold but one script. What the sources
 * load lazily (`await import(…)`) is in the file too, but runs only when it is asked for. Returns the SHA-256 of the
 * text; the file is left alone when it holds that text already.
 */
export async function bundle(entry: string, outfile: string): Promise<string> {
  let text: string | undefined;
  try {
    const result = await build({
      entryPoints: [path.join(import.meta.dirname, entry)],
      absWorkingDir: ROOT,
      outfile,
      write: false,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node24',
      minify: true,
      // Errors are told apart by their class names, also in what the SDKs throw.
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
      // The modules' own `if (import.meta.main)` must not start them a second time.
      define: {
        'import.meta.main': 'false',
        'import.meta.url': 'importMetaUrl',
        'import.meta.filename': '__filename',
        'import.meta.dirname': '__dirname',
      },
      banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    });
    text = result.outputFiles[0]?.text;
  } catch (cause) {
    throw new ActionableError({
      what: `bundle ${entry}`,
      why: messageOf(cause),
      next: 'see the imports named above: npm run check:types shows them with their places',
      cause,
    });
  }
  if (text === undefined) throw new Error(`esbuild made nothing of ${entry}`);
  await mkdir(path.dirname(outfile), { recursive: true });
  if ((await readIfThere(outfile)) !== text) await writeFile(outfile, text);
  return createHash('sha256').update(text).digest('hex');
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

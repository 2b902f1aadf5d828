import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Makes one JavaScript file of a program of this folder, as binaries have: stripping types takes memory and time too. */
export async function bundleProcess(source: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    // Lazily loaded modules that the bench does not use may be missing.
    external: ['@aws-sdk/*', '@google-cloud/*'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameExports } from './name-exports.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kopsctl-name-exports-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['written by hand', `module.exports = { greet: () => 'hello' };`],
  [
    'made by a compiler',
    `Object.defineProperty(exports, '__esModule', { value: true }); exports.greet = () => 'hello';`,
  ],
])('a chunk has the names of a package of CommonJS, %s', async (_, source) => {
  const place = path.join(folder, 'node_modules/greeter');
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, 'index.js'), source);
  await writeFile(path.join(place, 'package.json'), '{"name":"greeter","main":"index.js"}');
  const entry = path.join(folder, 'entry.ts');
  await writeFile(entry, `const { greet } = await import('greeter'); console.log(greet());`);
  const outdir = path.join(folder, 'out');
  const output = { outdir, outExtension: { '.js': '.mjs' }, format: 'esm', splitting: true } as const;
  await build({ ...output, entryPoints: [entry], bundle: true, platform: 'node', plugins: [nameExports] });
  expect((await execa(process.execPath, [path.join(outdir, 'entry.mjs')])).stdout).toBe('hello');
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { hashOfChunks, keepInputs, unchangedBundle } from './unchanged-bundle.ts';

const WANTED = { entry: 'main.ts', constants: { VERSION: '1' } };
const CHUNKS = new Map([['main.cjs', 'chunk']]);

let root: string;
let dir: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'kops-bundle-'));
  dir = path.join(root, 'dist/program');
  await mkdir(dir, { recursive: true });
  await mkdir(path.join(root, 'shared/text'), { recursive: true });
  await writeFile(path.join(root, 'package-lock.json'), '{}');
  await writeFile(path.join(root, 'main.ts'), 'source');
  for (const [name, text] of CHUNKS) await writeFile(path.join(dir, name), text);
  const made = { dir, chunks: [...CHUNKS.keys()], hash: hashOfChunks(CHUNKS), sources: ['main.ts'] };
  await keepInputs(root, made, { ...WANTED, inputs: ['main.ts'], startMs: Date.now() + 1_000 });
  return () => rm(root, { recursive: true });
});

test('a bundle of unchanged files is taken as it is', async () => {
  expect(await unchangedBundle(root, dir, WANTED)).toEqual({
    dir,
    chunks: ['main.cjs'],
    hash: hashOfChunks(CHUNKS),
    sources: ['main.ts'],
  });
});

test('a bundle for other constants is made again', async () => {
  expect(await unchangedBundle(root, dir, { ...WANTED, constants: {} })).toBeUndefined();
});

test.each([
  ['a source', 'main.ts', 'other'],
  ['what is installed', 'package-lock.json', '{"packages":{}}'],
  ['a package that was not there', 'shared/text/package.json', '{"exports":{}}'],
  ['a chunk', 'dist/program/main.cjs', 'half'],
  ['the note of what it was made of', 'dist/program.inputs.json', 'half a note'],
])('a bundle is made again after a change of %s', async (_what, name, text) => {
  await writeFile(path.join(root, name), text);
  expect(await unchangedBundle(root, dir, WANTED)).toBeUndefined();
});

test('a bundle is made again where a chunk is gone', async () => {
  await rm(path.join(dir, 'main.cjs'));
  expect(await unchangedBundle(root, dir, WANTED)).toBeUndefined();
});

test('a bundle is made again where a file was written while it was made', async () => {
  const made = { dir, chunks: [...CHUNKS.keys()], hash: hashOfChunks(CHUNKS), sources: ['main.ts'] };
  await keepInputs(root, made, { ...WANTED, inputs: ['main.ts'], startMs: 0 });
  expect(await unchangedBundle(root, dir, WANTED)).toBeUndefined();
});

test('a folder without a bundle has none', async () => {
  expect(await unchangedBundle(root, path.join(root, 'dist/other'), WANTED)).toBeUndefined();
});

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { replaceChunks } from './replace-chunks.ts';

const HOUR_MS = 60 * 60_000;
const startMs = Date.now();

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-chunks-'));
  return () => rm(dir, { recursive: true });
});

/** What one build after the other makes of a chunk. */
async function build(chunk: string, former: readonly string[], hours: number): Promise<readonly string[]> {
  const texts = new Map([
    ['main.cjs', `require('${chunk}')`],
    [chunk, 'chunk'],
  ]);
  const nowMs = startMs + hours * HOUR_MS;
  await replaceChunks(dir, texts, { entry: 'main.cjs', former: new Set(['main.cjs', ...former]), nowMs });
  expect(await readFile(path.join(dir, 'main.cjs'), 'utf8')).toBe(`require('${chunk}')`);
  return (await readdir(dir)).toSorted();
}

test('a chunk that a new build does not use stays for a day after it was last used', async () => {
  expect(await build('a', [], 0)).toEqual(['a', 'main.cjs']);
  expect(await build('b', ['a'], 100)).toEqual(['a', 'b', 'main.cjs']);
  expect(await build('c', ['b'], 123)).toEqual(['a', 'b', 'c', 'main.cjs']);
  expect(await build('c', ['c'], 125)).toEqual(['b', 'c', 'main.cjs']);
});

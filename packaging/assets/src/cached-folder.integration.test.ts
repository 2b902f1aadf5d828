import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findCached, makeCached } from './cached-folder.ts';

let cacheDir: string;
beforeEach(() => {
  cacheDir = mkdtempSync(path.join(tmpdir(), 'kops-cache-'));
});
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

const makeOne = (dir: string) => {
  writeFileSync(path.join(dir, 'tool'), 'content');
  return Promise.resolve([{ name: 'tool', version: '1', file: 'tool' }]);
};

describe('a cached folder', () => {
  test('is found again with the hash of each file', async () => {
    const made = await makeCached(cacheDir, 'thing', 'k', makeOne);
    expect(await findCached(cacheDir, 'thing', 'k')).toEqual(made);
    expect(made.files[0]?.sha256).toBe('ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73');
    expect(await findCached(cacheDir, 'thing', 'other')).toBeUndefined();
  });

  test('of which a file was changed counts as absent', async () => {
    const { dir } = await makeCached(cacheDir, 'thing', 'k', makeOne);
    appendFileSync(path.join(dir, 'tool'), 'x');
    expect(await findCached(cacheDir, 'thing', 'k')).toBeUndefined();
  });

  test('whose making failed leaves nothing behind', async () => {
    const failing = makeCached(cacheDir, 'thing', 'k', async (dir) => {
      await makeOne(dir);
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(await findCached(cacheDir, 'thing', 'k')).toBeUndefined();
    expect(readdirSync(path.join(cacheDir, 'thing'))).toEqual([]);
  });

  test('clears away what a killed make left behind', async () => {
    // No process has this number: it is above the kernel's limit.
    mkdirSync(path.join(cacheDir, 'thing/making-k-99999999.scratch'), { recursive: true });
    await makeCached(cacheDir, 'thing', 'k', makeOne);
    expect(readdirSync(path.join(cacheDir, 'thing'))).toEqual(['k']);
  });

  test('is not in place before it is whole', async () => {
    await makeCached(cacheDir, 'thing', 'k', (dir) => {
      expect(existsSync(path.join(cacheDir, 'thing', 'k'))).toBe(false);
      return makeOne(dir);
    });
    expect(readFileSync(path.join(cacheDir, 'thing/k/tool'), 'utf8')).toBe('content');
  });
});

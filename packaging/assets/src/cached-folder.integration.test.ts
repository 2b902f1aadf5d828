import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findCached, makeCached } from './cached-folder.ts';

let cacheDir: string;
let thing: string;
beforeEach(() => {
  cacheDir = mkdtempSync(path.join(tmpdir(), 'kops-cache-'));
  thing = path.join(cacheDir, 'made/k');
});
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

const folders = () => readdirSync(path.dirname(thing)).filter((name) => !name.endsWith('.lock'));

const makeOne = (dir: string) => {
  writeFileSync(path.join(dir, 'tool'), 'content');
  return Promise.resolve([{ name: 'tool', version: '1', file: 'tool' }]);
};

describe('a cached folder', () => {
  test('is found again with the hash of each file', async () => {
    const made = await makeCached(thing, 'times', makeOne);
    expect(await findCached(thing)).toEqual(made);
    expect(made.files[0]?.sha256).toBe('ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73');
    expect(await findCached(path.join(cacheDir, 'other'))).toBeUndefined();
  });

  test('of which a file was changed counts as absent', async () => {
    const { dir } = await makeCached(thing, 'times', makeOne);
    appendFileSync(path.join(dir, 'tool'), 'x');
    expect(await findCached(thing)).toBeUndefined();
  });

  test.each(['', 'null', '[{"name":"tool"}]'])('whose list of files is %j is made again', async (text) => {
    const { dir } = await makeCached(thing, 'times', makeOne);
    writeFileSync(path.join(dir, 'files.json'), text);
    expect(await findCached(thing)).toBeUndefined();
    const { files } = await makeCached(thing, 'times', makeOne);
    expect(await findCached(thing)).toMatchObject({ files });
  });

  test('whose making failed leaves nothing behind', async () => {
    const failing = makeCached(thing, 'times', async (dir) => {
      await makeOne(dir);
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(await findCached(thing)).toBeUndefined();
    expect(folders()).toEqual([]);
  });

  test('clears away what a killed make left behind', async () => {
    // No process has this number: it is above the kernel's limit.
    mkdirSync(path.join(cacheDir, 'made/making-k-99999999.scratch'), { recursive: true });
    await makeCached(thing, 'times', makeOne);
    expect(folders()).toEqual(['k']);
  });

  test('is not in place before it is whole', async () => {
    await makeCached(thing, 'times', (dir) => {
      expect(existsSync(thing)).toBe(false);
      return makeOne(dir);
    });
    expect(readFileSync(path.join(thing, 'tool'), 'utf8')).toBe('content');
  });

  test('that two want at once is made once', async () => {
    let makes = 0;
    const make = (dir: string) => {
      makes += 1;
      return makeOne(dir);
    };
    const both = await Promise.all([makeCached(thing, 'times', make), makeCached(thing, 'times', make)]);
    expect(both[0]).toEqual(both[1]);
    expect(makes).toBe(1);
  });

  test('that is checked by its hashes may have been copied, but not changed', async () => {
    await makeCached(thing, 'hashes', makeOne);
    const tool = path.join(thing, 'tool');
    utimesSync(tool, 1, 1);
    expect(await findCached(thing, 'times')).toBeUndefined();
    expect((await findCached(thing, 'hashes'))?.files[0]?.mtimeMs).toBe(1000);
    const { mtime } = statSync(tool);
    writeFileSync(tool, 'Content');
    utimesSync(tool, mtime, mtime);
    expect(await findCached(thing, 'hashes')).toBeUndefined();
    const again = await makeCached(thing, 'hashes', makeOne);
    expect(readFileSync(tool, 'utf8')).toBe('content');
    expect(await findCached(thing, 'hashes')).toEqual(again);
    rmSync(tool);
    expect(await findCached(thing, 'hashes')).toBeUndefined();
  });
});

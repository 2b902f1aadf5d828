import { mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeObject, streamObject } from './file-version.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-file-version-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a signal that is aborted while a file is opened ends in a rejection, and in no error that nobody handles', async () => {
  const file = join(folder, 'config');
  await writeFile(file, 'contents');
  await expect(describeObject(file, AbortSignal.abort(new Error('the manager ends')))).rejects.toThrow(
    'the manager ends',
  );
});

test('a large file whose reader is gone before it is opened ends in a rejection, and is closed', async () => {
  const file = join(folder, 'snapshot');
  await writeFile(file, '');
  await truncate(file, 5 * 1024 * 1024);
  await expect(streamObject(file, AbortSignal.abort(new Error('the reader is gone')))).rejects.toThrow(
    'the reader is gone',
  );
  const descriptors = await readdir('/proc/self/fd');
  const open = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  expect(open).not.toContain(file);
});

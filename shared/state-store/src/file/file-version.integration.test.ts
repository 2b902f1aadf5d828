import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeObject } from './file-version.ts';

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

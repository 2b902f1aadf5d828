import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSameStore } from './same-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-stores-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('A store is known by other spellings of its path, and no other store is taken for it', async () => {
  const store = `file://${folder}/state`;
  for (const spelled of [`${store}/`, `file://${folder}/./state`, `file://${folder}/other/../state`]) {
    expect(await isSameStore(store, spelled)).toBe(true);
  }
  expect(await isSameStore(store, `file://${folder}/state-2`)).toBe(false);
  expect(await isSameStore('s3://bucket/a', 's3://bucket/a/')).toBe(true);
  expect(await isSameStore('s3://bucket/a', 's3://bucket/b')).toBe(false);
});

test('A store that was moved is the same where a link stands in its old place', async () => {
  await mkdir(join(folder, 'old'));
  await rename(join(folder, 'old'), join(folder, 'new'));
  expect(await isSameStore(`file://${folder}/old`, `file://${folder}/new`)).toBe(false);
  await symlink(join(folder, 'new'), join(folder, 'old'));
  expect(await isSameStore(`file://${folder}/old`, `file://${folder}/new`)).toBe(true);
});

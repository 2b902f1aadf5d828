import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createFileStore } from './file-store.ts';
import { fileSystemType } from './network-file-system.ts';

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-file-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const storeOn = (folder: string, type: number) =>
  createFileStore(pathToFileURL(folder).href, {
    typeOf: async (asked) => {
      // A folder that does not exist has no type, here as on a real file system.
      await fileSystemType(asked);
      return type;
    },
  });

test.each([
  ['NFS', 0x6969],
  ['SMB', 0xfe534d42],
  ['SMB', 0xfe534d42 | 0],
  ['9p', 0x01021997],
])('a store on %s (%d) can be read and not be changed', async (name, type) => {
  const folder = await folderOfTest();
  const { version } = await createFileStore(pathToFileURL(folder).href).write('demo/config', Buffer.from('x'), {
    ifAbsent: true,
  });
  const store = storeOn(folder, type);
  expect((await store.read('demo/config'))?.version).toBe(version);
  const refused = `is on ${name}, where links and locks`;
  await expect(store.write('demo/other', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(refused);
  await expect(store.write('demo/config', Buffer.from('y'), { ifVersion: version })).rejects.toThrow(refused);
  await expect(store.delete('demo/config')).rejects.toThrow(refused);
  expect((await store.list('')).map(({ path }) => path)).toEqual(['demo/config']);
});

test('a store that does not exist yet has the file system of the folder in which it will be', async () => {
  const folder = join(await folderOfTest(), 'not', 'there');
  const write = storeOn(folder, 0x6969).write('demo/config', Buffer.from('x'), { ifAbsent: true });
  await expect(write).rejects.toThrow('is on NFS');
  expect(await fileSystemType(folder).catch(codeOf)).toBe('ENOENT');
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createFileStore } from './file-store.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
if (!isRoot)
  console.log('SKIPPED: the file store on a full disk, because a small file system can be mounted by root alone');

test.skipIf(!isRoot)(
  'A full disk is an error that says so; what was there stays, and nothing half-written is left',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kopsctl-full-disk-'));
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'kopsctl-test', folder]);
    try {
      const store = createFileStore(pathToFileURL(folder).href);
      const { version } = await store.write('demo/config', Buffer.from('small'), { ifAbsent: true });
      const large = Buffer.alloc(2 * 1024 * 1024, 'x');
      for (const condition of [{ ifVersion: version }, { ifAbsent: true }] as const) {
        const path = 'ifVersion' in condition ? 'demo/config' : 'demo/other';
        await expect(store.write(path, large, condition)).rejects.toMatchObject({
          why: expect.stringMatching(/ENOSPC/),
          next: expect.stringMatching(/^free space/),
        });
      }
      expect((await store.list('')).map((entry) => [entry.path, entry.version])).toEqual([['demo/config', version]]);
      expect(await readdir(join(folder, '.kopsctl-store', 'tmp'))).toEqual([]);
      await store.write('demo/other', Buffer.from('small'), { ifAbsent: true });
    } finally {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    }
  },
);

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BACKUP_DATA, BACKUP_META, printBackupMeta } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { fetchSnapshot, findUsable, UnusableBackupError } from './fetch-snapshot.ts';

const MIB = 1024 * 1024;
const PATH = 'demo.example.com/backups/etcd/main';
const BACKUP = '2026-11-21T01:02:03Z-000000';

test('a backup that is larger than the room for it is not written to the end, and is not blamed for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fetch-snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = createMemoryStore();
  const meta = printBackupMeta({ memberCount: 1, etcdVersion: '3.5.30' }, 0);
  await store.write(`${PATH}/${BACKUP}/${BACKUP_DATA}`, gzipSync(Buffer.alloc(8 * MIB)), { ifAbsent: true });
  await store.write(`${PATH}/${BACKUP}/${BACKUP_META}`, Buffer.from(meta), { ifAbsent: true });
  const env = { cluster: 'demo.example.com', backupPath: PATH, store, mostBytes: 2 * MIB };
  const { signal } = new AbortController();
  const path = join(folder, 'snapshot.db');
  const fetched = fetchSnapshot(await findUsable(BACKUP, env, signal), path, env, signal);
  await expect(fetched).rejects.toThrow('larger than the 0.0 GiB that the volume of etcd has to spare');
  await expect(fetched).rejects.not.toBeInstanceOf(UnusableBackupError);
  expect((await stat(path)).size).toBeLessThanOrEqual(2 * MIB);
});

import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  printBackupMeta,
  printJson,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { revisionKnownByNow, revisionToRestoreTo } from './known-revision.ts';
import type { RestoreMachine } from './restore-machine.ts';

const BACKUPS = 'demo.example.com/backups/etcd/main';

const CONFIG = {
  name: 'main',
  mountPoint: '/dev/null/volume',
  members: ['a'],
  memberHost: '<member>.internal',
  clientPort: 4001,
  peerPort: 2380,
  etcdVersion: '3.4.23',
  binDir: '/dev/null/bin',
  backupPath: BACKUPS,
  peersCa: 'etcd-peers-ca-main',
  clientsCa: 'etcd-clients-ca',
  env: [],
};
const RECORD = {
  id: 'R',
  reason: 'restoring a backup',
  etcdVersion: '3.4.23',
  token: 'T',
  phase: 'saving',
  since: '2026-11-21T12:00:00Z',
  members: ['a'],
  acknowledged: [],
} as const;
const BACKUP = '2026-11-21T12:00:00Z-000001';
const signal = new AbortController().signal;

/** A backup that etcd-manager has taken at this revision. */
async function storeBackup(store: StateStore, name: string, revision: number, meta?: string): Promise<void> {
  const facts = { sha256: 'x', storedBytes: 4, databaseBytes: 4, entries: 1, reason: '', takenBy: 'a', durationMs: 1 };
  const texts = {
    [BACKUP_DATA]: 'data',
    [BACKUP_FACTS]: printJson({ ...facts, revision }),
    [BACKUP_META]: meta ?? printBackupMeta({ memberCount: 1, etcdVersion: '3.4.23' }, 0),
  };
  for (const [file, text] of Object.entries(texts)) {
    await store.write(`${BACKUPS}/${name}/${file}`, Buffer.from(text), { ifAbsent: true });
  }
}

test('the damaged meta file of the newest backup stops no restore of another one, and its revision counts', async () => {
  const store = createMemoryStore();
  await storeBackup(store, BACKUP, 7);
  await storeBackup(store, '2026-11-22T12:00:00Z-000001', 9, '{"etcdVersion": ');
  const known = await revisionKnownByNow(CONFIG, { ...RECORD, backup: BACKUP }, { store }, signal);
  expect(known).toMatchObject({ lastRevision: 9 });
});

test('the revision of the backup that was stored last counts, although the name of another one is in the future', async () => {
  let nowMs = 0;
  const store = createMemoryStore({ now: () => (nowMs += 1000) });
  await storeBackup(store, BACKUP, 7);
  await storeBackup(store, '2031-01-01T00:00:00Z-000000', 8);
  await storeBackup(store, '2026-11-22T12:00:00Z-000001', 9);
  const known = await revisionKnownByNow(CONFIG, { ...RECORD, backup: BACKUP }, { store }, signal);
  expect(known).toMatchObject({ lastRevision: 9 });
});

test('no backup is fetched for its revision where the newest cannot be asked for its own', async () => {
  const asked: string[] = [];
  const store = {
    ...createMemoryStore(),
    list: async (prefix: string) => {
      asked.push(prefix);
      throw new Error('the store is away');
    },
  };
  const fetchedRevision = async (name: string) => {
    asked.push(name);
    return 1;
  };
  // Nothing else is asked of the machine.
  const machine = { fetchedRevision } as unknown as RestoreMachine;
  const found = revisionToRestoreTo(CONFIG, RECORD, BACKUP, { store, machine }, signal);
  await expect(found).rejects.toThrow('the store is away');
  expect(asked).toEqual([BACKUPS]);
});

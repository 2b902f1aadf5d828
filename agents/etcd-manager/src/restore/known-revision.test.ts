import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { revisionToRestoreTo } from './known-revision.ts';
import type { RestoreMachine } from './restore-machine.ts';

const BACKUPS = 'demo.example.com/backups/etcd/main';

test('no backup is fetched for its revision where the newest cannot be asked for its own', async () => {
  const asked: string[] = [];
  const store = {
    ...createMemoryStore(),
    list: async (prefix: string) => {
      asked.push(prefix);
      throw new Error('the store is away');
    },
  };
  const config = {
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
  const record = {
    id: 'R',
    reason: 'restoring a backup',
    etcdVersion: '3.4.23',
    token: 'T',
    phase: 'saving',
    since: '2026-11-21T12:00:00Z',
    members: ['a'],
    acknowledged: [],
  } as const;
  const fetchedRevision = async (name: string) => {
    asked.push(name);
    return 1;
  };
  // Nothing else is asked of the machine.
  const machine = { fetchedRevision } as unknown as RestoreMachine;
  const env = { store, machine };
  const backup = '2026-11-21T12:00:00Z-000001';
  const found = revisionToRestoreTo(config, record, backup, env, new AbortController().signal);
  await expect(found).rejects.toThrow('the store is away');
  expect(asked).toEqual([BACKUPS]);
});

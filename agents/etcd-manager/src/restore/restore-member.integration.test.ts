import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { afterEach, expect, test } from 'vitest';
import { TestMachine } from '../../testing/machine.ts';
import { restoreMember } from './restore-member.ts';

let folder: string;
afterEach(async () => rm(folder, { recursive: true }));

test('a member whose tools cannot be run fetches no backup', async () => {
  folder = await mkdtemp(join(tmpdir(), 'restore-member-'));
  await writeFile(join(folder, 'etcdctl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const etcd = { binDir: folder, version: '3.4.23', clientPort: 0, peerPort: 0 };
  const { config } = new TestMachine(folder, '31', ['31'], etcd);
  const asked: string[] = [];
  const memory = createMemoryStore();
  const store = {
    ...memory,
    list: (prefix: string) => {
      asked.push(prefix);
      return memory.list(prefix);
    },
  };
  const record = {
    id: 'R',
    reason: 'restoring a backup',
    etcdVersion: '3.4.23',
    token: 'T',
    phase: 'restoring',
    since: '2026-11-21T12:00:00Z',
    members: ['31'],
    acknowledged: [],
    backup: '2026-11-21T12:00:00Z-000001',
    revision: 1_000_000_000,
  } as const;
  const env = { cluster: 'demo.example.com', backupPath: config.backupPath, store, onFetched: () => undefined };
  const restored = restoreMember(config, '31', record, env, new AbortController().signal);
  await expect(restored).rejects.toThrow('snapshot restore: it exited with 1');
  expect(asked).toEqual([]);
});

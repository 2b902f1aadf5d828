import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { findCompiledEtcd, type TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { TestMachine } from '../../testing/machine.ts';
import { checkedSnapshot } from '../backup/snapshot-source.ts';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { storeBackup } from '../backup/store-backup.ts';
import { withThrowAwayEtcd } from '../backup/throw-away-etcd.ts';
import { dataVersion } from '../versions/data-version.ts';
import { tokensOn } from './data-folders.ts';
import { restoreMember } from './restore-member.ts';

let folder: string;
afterEach(async () => rm(folder, { recursive: true }));

const etcd36 = await findCompiledEtcd('etcd-3.6');
const etcd37 = await findCompiledEtcd('etcd-3.7');

const RECORD = {
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
  const env = { cluster: 'demo.example.com', backupPath: config.backupPath, store, onFetched: () => undefined };
  const restored = restoreMember(config, '31', RECORD, env, new AbortController().signal);
  await expect(restored).rejects.toThrow('snapshot restore: it exited with 1');
  expect(asked).toEqual([]);
});

describe.skipIf(etcd36 === undefined || etcd37 === undefined)('a backup of data that etcd 3.7 has served', () => {
  if (etcd36 === undefined || etcd37 === undefined) return;

  test('is restored with 3.7, but not with 3.6, which would not start from it', async () => {
    folder = await mkdtemp(join(tmpdir(), 'restore-member-'));
    const signal = AbortSignal.timeout(120_000);
    const dataDir = join(folder, 'served');
    const path = join(folder, 'snapshot.db');
    const tools = await snapshotTools(etcd37.binDir);
    await withThrowAwayEtcd(
      { binDir: etcd37.binDir, dataDir },
      async (_, url) => {
        const served = () => dataVersion(join(dataDir, 'member', 'snap', 'db'));
        await expect.poll(served, { timeout: 30_000 }).toBe('3.7.0');
        await tools.save(url, undefined, path, signal);
      },
      signal,
    );
    const store = createMemoryStore();
    const { config } = new TestMachine(folder, '31', ['31'], { ...etcd37, clientPort: 0, peerPort: 0 });
    const { backupPath } = config;
    const { name } = await storeBackup(
      {
        source: await checkedSnapshot(path),
        takenMs: Date.parse('2026-11-21T12:00:00Z'),
        startedMs: performance.now(),
        spec: { memberCount: 1, etcdVersion: etcd37.version },
        facts: { ...(await tools.status(path, signal)), reason: 'test', takenBy: '31' },
      },
      { store, backupPath, log: makeLog(() => undefined, false, 'test') },
      signal,
    );
    const restoredWith = (etcd: TestEtcd): Promise<void> =>
      restoreMember(
        { ...config, binDir: etcd.binDir, etcdVersion: etcd.version },
        '31',
        { ...RECORD, backup: name, token: etcd.version, etcdVersion: etcd.version },
        { cluster: 'demo.example.com', backupPath, store, onFetched: () => undefined },
        signal,
      );
    await mkdir(config.mountPoint, { recursive: true });
    await expect(restoredWith(etcd36)).rejects.toThrow('3.6 does not start from data of a later version');
    await restoredWith(etcd37);
    expect(await tokensOn(config)).toEqual([etcd37.version]);
  });
});

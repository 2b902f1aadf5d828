import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { findCompiledEtcd } from '@kopsctl/test-peers/etcd.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedSnapshot } from './snapshot-source.ts';
import { snapshotTools } from './snapshot-tools.ts';
import { storeBackup } from './store-backup.ts';
import { withThrowAwayEtcd } from './throw-away-etcd.ts';
import { verifyBackup } from './verify-backup.ts';

const etcd35 = await findCompiledEtcd('etcd-3.5-newest');
const etcd36 = await findCompiledEtcd('etcd-3.6');
const PATH = 'demo.example.com/backups/etcd/main';
const signal = AbortSignal.timeout(120_000);

describe.skipIf(etcd35 === undefined || etcd36 === undefined)('a backup that etcd 3.5 took', () => {
  if (etcd35 === undefined || etcd36 === undefined) return;
  let folder: string;
  const store = createMemoryStore();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-verify-backup-'));
    const tools = await snapshotTools(etcd35.binDir);
    const path = join(folder, 'snapshot.db');
    await withThrowAwayEtcd(
      { binDir: etcd35.binDir, dataDir: join(folder, 'data') },
      async (_, url) => {
        const etcdctl = (...args: readonly string[]) =>
          execa(join(etcd35.binDir, 'etcdctl'), [`--endpoints=${url}`, ...args]);
        await etcdctl('put', 'kept', 'first');
        await etcdctl('put', 'kept', 'second');
        await etcdctl('put', 'deleted', 'value');
        await etcdctl('del', 'deleted');
        await tools.save(url, undefined, path, signal);
      },
      signal,
    );
    await storeBackup(
      {
        source: await checkedSnapshot(path),
        takenMs: Date.parse('2026-11-21T01:02:03Z'),
        startedMs: performance.now(),
        spec: { memberCount: 1, etcdVersion: etcd35.version },
        facts: { ...(await tools.status(path, signal)), reason: 'test', takenBy: 'a' },
      },
      { store, backupPath: PATH, log: makeLog(() => undefined, false, 'test') },
      signal,
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // etcdutl 3.5 counts all entries of the database, and 3.6 only the keys that have not been deleted.
  test.each([etcd35, etcd36])('is proven by etcd $version', async ({ version, binDir }) => {
    const mountPoint = join(folder, `volume-${version}`);
    await mkdir(mountPoint);
    const config = { backupPath: PATH, etcdVersion: version, binDir, mountPoint };
    const verified = await verifyBackup(undefined, config, { cluster: 'demo.example.com', store, by: 'a' }, signal);
    expect(verified).toMatchObject({ ok: true, keys: 1, revision: 5 });
  });
});

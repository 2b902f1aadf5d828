import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { takeBackup } from '@kopsctl/etcd-manager/backup/take-backup.ts';
import { ensureCertificates } from '@kopsctl/etcd-manager/etcd/certificates.ts';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { ensureKeyset } from '@kopsctl/pki/testing/ensure-keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';

const CLUSTER = 'faults.example.com';
/** etcd answers at once if it runs. Every restore after a loss of quorum waits for this answer. */
const PATIENCE_MS = 15_000;

const etcd = await findTestEtcd('3.4');

// `etcdctl snapshot save` by itself waits forever.
test.skipIf(etcd === undefined)('A backup of an etcd that does not run fails at once', async () => {
  if (etcd === undefined) throw new Error('unreachable: the test is skipped');
  const mountPoint = await mkdtemp(join(tmpdir(), 'etcd-faults-'));
  onTestFinished(() => rm(mountPoint, { recursive: true, force: true }));
  const store = createMemoryStore();
  for (const name of ['peers', 'clients']) {
    await ensureKeyset(store, CLUSTER, name, () => createCertificateAuthority({ commonName: name, nowMs: Date.now() }));
  }
  const config = {
    name: 'main',
    mountPoint,
    members: ['1'],
    memberHost: '127.0.0.<member>',
    clientPort: await freePort(),
    peerPort: 2380,
    etcdVersion: etcd.version,
    binDir: etcd.binDir,
    backupPath: `${CLUSTER}/backups/etcd/main`,
    peersCa: 'peers',
    clientsCa: 'clients',
    env: [],
  };
  const env = { cluster: CLUSTER, address: '127.0.0.1', store, log: makeLog(() => undefined, false, 'test') };
  await ensureCertificates(config, { address: env.address, member: '1' }, env, AbortSignal.timeout(PATIENCE_MS));
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const backup = takeBackup(config, { member: '1', memberCount: 1, reason: 'test' }, env, patience);
  await expect(backup).rejects.toThrow(/./);
  expect(patience.aborted).toBe(false);
});

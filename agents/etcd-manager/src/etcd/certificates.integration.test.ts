import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_CLUSTER, testStore } from '../../testing/machine.ts';
import { clientFiles, ensureCertificates } from './certificates.ts';

let mountPoint: string;
beforeEach(async () => {
  mountPoint = await mkdtemp(join(tmpdir(), 'etcd-certificates-'));
});
afterEach(() => rm(mountPoint, { recursive: true, force: true }));

const configWith = (more: Partial<EtcdClusterConfig>): EtcdClusterConfig => ({
  name: 'main',
  mountPoint,
  members: ['a'],
  memberHost: 'etcd-<member>.internal.demo',
  clientPort: 4001,
  peerPort: 2380,
  etcdVersion: '3.6.6',
  binDir: '',
  backupPath: '',
  peersCa: 'etcd-peers-ca-main',
  clientsCa: 'etcd-clients-ca',
  env: [],
  ...more,
});

test('a member proves itself under the other names of its cluster as well, as soon as it is told of them', async () => {
  const env = { cluster: TEST_CLUSTER, store: await testStore(), log: makeLog(() => undefined, false, 'test') };
  const namesOf = async (more: Partial<EtcdClusterConfig>) => {
    await ensureCertificates(configWith(more), { address: '127.0.0.1', member: 'a' }, env, AbortSignal.timeout(10_000));
    return new X509Certificate(await readFile(clientFiles(mountPoint).cert)).subjectAltName;
  };
  const own = 'DNS:etcd-a.internal.demo, DNS:localhost';
  expect(await namesOf({})).toBe(`${own}, IP Address:127.0.0.1`);
  expect(await namesOf({ serverNames: ['api.internal.demo'] })).toBe(
    `${own}, DNS:api.internal.demo, IP Address:127.0.0.1`,
  );
});

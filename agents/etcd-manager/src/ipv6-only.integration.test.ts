import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import { SERVING, TEST_CLUSTER, TestMachine, testStore } from '../testing/machine.ts';
import { takeBackup } from './backup/take-backup.ts';
import { clientFiles } from './etcd/certificates.ts';
import { openEtcd } from './etcd/client.ts';
import { clientUrl } from './etcd/settings.ts';

const etcd = await findTestEtcd('3.4');

test.skipIf(etcd === undefined)(
  'etcd of a machine that is known by an IPv6 address serves there and on 127.0.0.1, and is backed up',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kopsctl-ipv6-'));
    const store = await testStore();
    const found = etcd ?? { binDir: '', version: '' };
    const machine = new TestMachine(folder, '1', ['1'], { ...found, ...(await freeEtcdPorts()) }, { isIpv6Only: true });
    try {
      await machine.boot(store);
      await machine.until(SERVING);
      const signal = AbortSignal.timeout(60_000);
      const { clientPort, peerPort } = machine.config;
      expect(await machine.etcdctl('member', 'list')).toContain(
        `https://[::1]:${peerPort}, https://[::1]:${clientPort}`,
      );
      const local = await openEtcd(clientUrl(machine.config, '127.0.0.1'), clientFiles(machine.config.mountPoint));
      expect((await local.status(signal)).leaderId).toBeDefined();
      local.close();
      const env = {
        cluster: TEST_CLUSTER,
        address: machine.address,
        store,
        log: makeLog(() => undefined, false, 'test'),
      };
      const request = { member: '1', memberCount: 1, reason: 'test' };
      await takeBackup(machine.config, request, env, signal);
    } finally {
      await machine.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freeEtcdPorts } from '@kopsctl/test-peers/free-port.ts';
import type { EtcdsUnderTest } from './describe-etcds.ts';
import { childUnits } from '../src/units/testing/child-units.ts';
import { openEtcd, type OpenEtcdClient } from '../src/etcd/client.ts';

const MACHINES = ['a', 'b', 'c', 'd'];
const FIRST_ADDRESS = 171;

/** Etcds without TLS on this machine, each with an address and a folder of its own. */
export async function openEtcds({ binDir }: TestEtcd): Promise<EtcdsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-etcds-'));
  const units = childUnits((name) => join(folder, `${name}.log`));
  const ports = await freeEtcdPorts();
  // Connections of others begin at ports of 127.0.0.1, so a port that was free there may be taken by now.
  const urlOf = (machine: string, port: 'clientPort' | 'peerPort'): string =>
    `http://127.0.0.${FIRST_ADDRESS + MACHINES.indexOf(machine)}:${ports[port]}`;
  const clients = new Map<string, OpenEtcdClient>();
  return {
    peerUrl: (machine) => urlOf(machine, 'peerPort'),
    async start(machine, { token, initialState, initialCluster }) {
      const [client, peer] = [urlOf(machine, 'clientPort'), urlOf(machine, 'peerPort')];
      await mkdir(join(folder, machine), { recursive: true, mode: 0o700 });
      const lasting = {
        ETCD_NAME: `etcd-${machine}`,
        ETCD_DATA_DIR: join(folder, machine),
        ETCD_LISTEN_CLIENT_URLS: client,
        ETCD_ADVERTISE_CLIENT_URLS: client,
        ETCD_LISTEN_PEER_URLS: peer,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
        ETCD_STRICT_RECONFIG_CHECK: 'true',
        // A busy machine would otherwise hold elections while nothing is wrong.
        ETCD_ELECTION_TIMEOUT: '2000',
        ETCD_HEARTBEAT_INTERVAL: '200',
      };
      const initial = {
        ETCD_INITIAL_CLUSTER: initialCluster,
        ETCD_INITIAL_CLUSTER_STATE: initialState,
        ETCD_INITIAL_CLUSTER_TOKEN: token,
      };
      await units.start({ name: machine, binary: join(binDir, 'etcd'), mountPoint: folder, lasting, initial });
    },
    stop: (machine) => units.stop(machine, 'SIGKILL'),
    wipe: (machine) => rm(join(folder, machine), { recursive: true }),
    async client(machine) {
      const client = clients.get(machine) ?? (await openEtcd(urlOf(machine, 'clientPort'), undefined));
      clients.set(machine, client);
      return client;
    },
    async write() {
      const endpoints = MACHINES.map((machine) => urlOf(machine, 'clientPort')).join(',');
      await execa(
        join(binDir, 'etcdctl'),
        [`--endpoints=${endpoints}`, '--command-timeout=3s', 'put', 'key', 'value'],
        {
          env: { ETCDCTL_API: '3' },
        },
      );
    },
    pass: (ms) => sleep(ms),
    async close() {
      for (const client of clients.values()) client.close();
      await Promise.all(MACHINES.map((machine) => units.stop(machine, 'SIGKILL')));
      await rm(folder, { recursive: true });
    },
  };
}

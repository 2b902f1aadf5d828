import { join } from 'node:path';
import type { Log } from '@kopsctl/agent/log.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { enrolmentPath, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { AUTHORITY_GROUPS_FILE, type AuthorityGroups } from '@kopsctl/node-plan/authority-groups.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { type Keyset, printKeyset } from '@kopsctl/pki/keyset.ts';
import { listenForAuthority } from '@kopsctl/protokube/broker/listen-for-authority.ts';
import { brokerServer } from '@kopsctl/protokube/broker/serve-broker.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { GROUP } from './machine-list.ts';

/** The broker of protokube, on a store in memory and a list of machines that the bench makes. */
export interface CountedBroker {
  readonly socket: string;
  readonly machines: Latest<CloudMachine>;
  /** How often each question was asked, by its path. */
  readonly calls: ReadonlyMap<string, number>;
}

interface BrokerOf {
  readonly cluster: string;
  readonly folder: string;
  /** Signs certificates of the cluster. */
  readonly clusterCa: Keyset;
  /** What evidence is signed with: base64url of DER. */
  readonly cloudKey: string;
  /** Machines that have enrolled, each with a key that nobody has any more. */
  readonly enrolled: readonly CloudMachine[];
  readonly log: Log;
}

export async function serveCountedBroker(
  { cluster, folder, clusterCa, cloudKey, enrolled, log }: BrokerOf,
  signal: AbortSignal,
): Promise<CountedBroker> {
  const socket = join(folder, 'broker', 'broker.sock');
  const store = createMemoryStore();
  await write(store, publishedKeysetPath(cluster, clusterCa.name), printKeyset(withoutPrivate(clusterCa)));
  const groups: AuthorityGroups = { [GROUP]: { secrets: [], authorities: [] } };
  await write(store, `${cluster}/${AUTHORITY_GROUPS_FILE}`, JSON.stringify(groups));
  for (const machine of enrolled) await write(store, enrolmentPath(cluster, machine.nodeName), enrolmentOf(machine));
  const machines = new Latest<CloudMachine>();
  const calls = new Map<string, number>();
  const server = brokerServer(
    { cluster, store, machines, verifierFacts: async () => ({ key: cloudKey }) },
    log,
    signal,
  );
  server.on('request', ({ url = '' }) => calls.set(url, (calls.get(url) ?? 0) + 1));
  signal.addEventListener('abort', () => {
    server.close();
    server.closeAllConnections();
  });
  await listenForAuthority(server, { socket, groupId: process.getgid?.() ?? 0 }, signal);
  return { socket, machines, calls };
}

const write = (store: StateStore, path: string, text: string) =>
  store.write(path, Buffer.from(text), { ifAbsent: true });

const withoutPrivate = (keyset: Keyset): Keyset => ({
  ...keyset,
  items: keyset.items.map(({ privateKeyPem: _, ...published }) => published),
});

const enrolmentOf = ({ nodeName, instanceId, launchedMs = 0, instanceGroup, address }: CloudMachine): string =>
  printEnrolment({
    node: nodeName,
    instanceId,
    launchedMs,
    instanceGroup,
    machineKey: 'lost',
    address,
    enrolledAt: new Date(launchedMs).toISOString(),
  });

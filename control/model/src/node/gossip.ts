import type { GossipConfig, GossipRing } from '@kopsctl/node-plan/agent-config.ts';
import { type Task, taskId, type TaskId } from '@kopsctl/tasks/task.ts';
import { escapeFacts } from '@kopsctl/node-plan/escape.ts';
import {
  GOSSIP_CONTROL_PLANE_KEY,
  GOSSIP_CONTROL_PLANE_PORT,
  GOSSIP_KEY,
  GOSSIP_PORT,
  GOSSIP_RECORDS_CA,
} from '../discovery.ts';
import { clientCertificate } from './certificates.ts';
import type { NodeContext } from './node-context.ts';
import { fileName, nodeTask } from './node-task.ts';

/** Where the certificates of GOSSIP_RECORDS_CA lie, however a machine gets them. */
export const GOSSIP_AUTHORITIES = '/etc/kops/gossip-records-ca.crt';
const IDENTITY = '/etc/kops/gossip-records';

/** Where the keys of the workers' ring lie, however a machine gets them. */
export const WORKERS_KEYS_FILE = '/etc/kops/gossip-keys';

const WORKERS = { name: 'workers', port: GOSSIP_PORT, keysFile: WORKERS_KEYS_FILE, secret: GOSSIP_KEY } as const;
const CONTROL_PLANE = {
  name: 'control-plane',
  port: GOSSIP_CONTROL_PLANE_PORT,
  keysFile: '/etc/kops/gossip-keys-control-plane',
  secret: GOSSIP_CONTROL_PLANE_KEY,
} as const;

/** Machines with an API server publish names. */
const publishes = ({ role }: Pick<NodeContext, 'role'>): boolean => role === 'ControlPlane' || role === 'APIServer';

const ringsOf = (node: NodeContext) => (publishes(node) ? [CONTROL_PLANE, WORKERS] : [WORKERS]);

/** The rings whose keys nodeup reads from the store. What is not here, the machine gets once it is attested. */
const storedRingsOf = (node: NodeContext) =>
  node.isControlPlane ? [CONTROL_PLANE, WORKERS] : publishes(node) ? [CONTROL_PLANE] : [];

/** What protokube gossips with: the keys of rings, the authorities of signed names, and what it signs with. */
export function gossipFiles(node: NodeContext): readonly Task[] {
  if (!publishes(node)) return [];
  return [
    ...storedRingsOf(node).map(keysOf),
    ...(node.isControlPlane ? [authorities()] : []),
    clientCertificate({
      name: 'gossip-records',
      basePath: IDENTITY,
      commonName: '@{nodeName}',
      organizations: [node.role],
      ipAddresses: ['@{address}'],
      signer: GOSSIP_RECORDS_CA,
    }),
  ];
}

/** The tasks of gossipFiles, for what comes after them. */
export const gossipFileIds = (node: NodeContext): readonly TaskId[] => gossipFiles(node).map(taskId);

export function gossipConfig(node: NodeContext): GossipConfig {
  return {
    rings: ringsOf(node).map(({ name, port, keysFile, secret }): GossipRing => {
      return { name, port, keysFile, ...(node.isControlPlane && { keysSecret: secret }) };
    }),
    signing: {
      authoritiesFile: GOSSIP_AUTHORITIES,
      ...(publishes(node) && { identity: { certificateFile: `${IDENTITY}.crt`, keyFile: `${IDENTITY}.key` } }),
    },
  };
}

/** The keys of a ring, for protokube alone. */
function keysOf({ keysFile, secret }: { readonly keysFile: string; readonly secret: string }): Task {
  return nodeTask('File', fileName(keysFile), {
    path: keysFile,
    // `@{secret}` is for the writer of the file, not a fact of the node, so the plan escapes it.
    content: { secret, template: escapeFacts('@{secret}') },
    mode: '0600',
    sensitive: true,
  });
}

const authorities = (): Task =>
  nodeTask('File', fileName(GOSSIP_AUTHORITIES), {
    path: GOSSIP_AUTHORITIES,
    content: { keyset: GOSSIP_RECORDS_CA, part: 'certificates' },
    mode: '0644',
  });

import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { nodesFolder } from './enrolment.ts';

/** A machine that a person enrolled, because no cloud lists it: `<cluster>/nodes/<node>/host.json`. */
export interface HostRecord {
  readonly node: string;
  /** Generated at each enrolment, so that a machine that is enrolled again is another instance. */
  readonly instanceId: string;
  readonly instanceGroup: string;
  readonly role: (typeof ROLES)[number];
  /** Where other machines reach it. */
  readonly address: string;
  readonly zone: string;
  /** When a person enrolled it, in ms since 1970. */
  readonly enrolledMs: number;
  /** What it proves its identity with the first time; absent for control planes, which hold the keys of the cluster. */
  readonly firstKey?: FirstKey;
  /** The partitions that hold the data of etcd. */
  readonly volumes: readonly HostVolume[];
}

export interface FirstKey {
  /** DER of SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string;
  /** In ms since 1970. */
  readonly goodUntilMs: number;
}

export interface HostVolume {
  readonly name: string;
  readonly device: string;
  readonly tags: Readonly<Record<string, string>>;
}

const HEADER = { apiVersion: 'kopsctl.io/v1', kind: 'Host' } as const;
const FILE = 'host.json';
const ROLES = ['ControlPlane', 'Node', 'APIServer', 'Bastion'] as const;

export const hostPath = (cluster: string, node: string): string => `${nodesFolder(cluster)}${node}/${FILE}`;

export const isHostPath = (cluster: string, path: string): boolean =>
  path.startsWith(nodesFolder(cluster)) && /^[^/]+\/host\.json$/.test(path.slice(nodesFolder(cluster).length));

export const printHost = (host: HostRecord): string => `${JSON.stringify({ ...HEADER, ...host }, null, 2)}\n`;

export const firstKeyIn = (from: FieldReader): FirstKey => ({
  publicKey: from.text('publicKey'),
  goodUntilMs: from.number('goodUntilMs'),
});

/** @throws with the paths of all fields that are missing or malformed */
export function parseHost(text: string): HostRecord {
  const from = new FieldReader(JSON.parse(text));
  from.word('kind', [HEADER.kind]);
  const host: HostRecord = {
    node: from.text('node'),
    instanceId: from.text('instanceId'),
    instanceGroup: from.text('instanceGroup'),
    role: from.word('role', ROLES),
    address: from.text('address'),
    zone: from.text('zone'),
    enrolledMs: from.number('enrolledMs'),
    ...from.optional('firstKey', (name) => from.object(name, firstKeyIn)),
    volumes: from.objects('volumes', (volume) => ({
      name: volume.text('name'),
      device: volume.text('device'),
      tags: volume.record('tags', (values, name) => values.text(name)),
    })),
  };
  from.refuseFaults();
  return host;
}

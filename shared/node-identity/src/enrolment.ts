import { FieldReader } from '@kopsctl/agent/field-reader.ts';

/** Which machine has a node's name, since its first attestation: `<cluster>/nodes/<node>/enrolment.json`. */
export interface Enrolment {
  readonly node: string;
  readonly instanceId: string;
  /** When the cloud made the instance, in ms since 1970; 0 where it does not say. With the id, it identifies the instance. */
  readonly launchedMs: number;
  readonly instanceGroup: string;
  /** SHA-256 of the machine's public key, base64url. */
  readonly machineKey: string;
  readonly address: string;
  /** RFC 3339. */
  readonly enrolledAt: string;
  /** A person permits the next key of this instance: its disk was replaced. */
  readonly permitsNewKey?: true;
  /** RFC 3339. This instance gets nothing any more, whatever it presents. */
  readonly revokedAt?: string;
  /** Why, as the person said who revoked it. */
  readonly revokedReason?: string;
}

const HEADER = { apiVersion: 'kopsctl.io/v1', kind: 'NodeEnrolment' } as const;

const FILE = 'enrolment.json';

/** Where the store keeps what belongs to each node. */
export const nodesFolder = (cluster: string): string => `${cluster}/nodes/`;

export const enrolmentPath = (cluster: string, node: string): string => `${nodesFolder(cluster)}${node}/${FILE}`;

/** The node whose enrolment a path of the store holds; undefined for other paths. */
export function nodeOfEnrolmentPath(cluster: string, path: string): string | undefined {
  const prefix = nodesFolder(cluster);
  const [node, file, ...rest] = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
  return file === FILE && rest.length === 0 ? node : undefined;
}

export const printEnrolment = (enrolment: Enrolment): string =>
  `${JSON.stringify({ ...HEADER, ...enrolment }, null, 2)}\n`;

/** @throws with the paths of all fields that are missing or malformed */
export function parseEnrolment(text: string): Enrolment {
  const from = new FieldReader(JSON.parse(text));
  from.word('kind', [HEADER.kind]);
  const enrolment: Enrolment = {
    node: from.text('node'),
    instanceId: from.text('instanceId'),
    launchedMs: from.number('launchedMs'),
    instanceGroup: from.text('instanceGroup'),
    machineKey: from.text('machineKey'),
    address: from.text('address'),
    enrolledAt: from.text('enrolledAt'),
    ...from.optional('permitsNewKey', (name) => from.word(name, [true])),
    ...from.optional('revokedAt', (name) => from.text(name)),
    ...from.optional('revokedReason', (name) => from.text(name)),
  };
  // How long a revoked name is out of use depends on it.
  if (enrolment.revokedAt !== undefined && Number.isNaN(Date.parse(enrolment.revokedAt))) from.faults.push('revokedAt');
  from.refuseFaults();
  return enrolment;
}

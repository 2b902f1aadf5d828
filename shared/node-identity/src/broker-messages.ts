import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import type { CloudMachine, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import type { GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { type Attested, parsed } from './messages.ts';
import { isNodeName } from './node-name.ts';

/**
 * What an authority may ask of the broker: protokube of its machine, which has the rights in the cloud and in the state
 * store that an authority lacks. It may ask for nothing else: for no path of the store, and no list of it.
 */
export const BROKER_PATHS = {
  /** The machines that the cloud lists. Answered when there is a newer list than the one that is named, or after a while. */
  machines: '/v1/machines',
  /** The identity that machines of a group prove. */
  rights: '/v1/rights',
  /** The CA, and the secrets and certificates that machines of a group get. */
  knowledge: '/v1/knowledge',
  /** A worker's plan, by a PlanWish. 404 if there is none. */
  plan: '/v1/plan',
  /** Reads who has a node's name. */
  enrolment: '/v1/enrolment',
  /** Writes it if it has not changed since it was read. */
  enrol: '/v1/enrol',
  /** The body is a boot report, and says of which node. */
  report: '/v1/boot-report',
  /** What evidence of this cloud is verified with. */
  verifierFacts: '/v1/verifier-facts',
} as const;

/** The list of a thousand machines is a fraction of this. */
export const MAX_MACHINES_BYTES = 8 * 1024 * 1024;

interface MachinesWish {
  /** The revision that is known. */
  readonly after?: string;
}

interface GroupWish {
  readonly instanceGroup: string;
}

interface EnrolmentWish {
  readonly node: string;
}

/** What the store has of a node's name. */
export interface StoredEnrolment {
  /** As `printEnrolment` wrote it. */
  readonly text: string;
  readonly version: string;
}

interface EnrolWish {
  /** As `printEnrolment` writes it. */
  readonly text: string;
  /** The version that it replaces; absent if there must be none. */
  readonly version?: string;
}

/** What an attested machine learns besides its own name. */
export type MachineKnowledge = Pick<Attested, 'clusterCa' | 'secrets' | 'authorities'>;

/** What went wrong, as an ActionableError says it. */
interface BrokerFailure {
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

const ROLES = ['ControlPlane', 'Node', 'Bastion', 'APIServer'] as const satisfies readonly NodeRole[];

export const printWish = (wish: MachinesWish | GroupWish | EnrolmentWish | EnrolWish): string => JSON.stringify(wish);

export const parseMachinesWish = (text: string): MachinesWish =>
  parsed(text, (from) => from.optional('after', (name) => from.text(name)));

export const parseGroupWish = (text: string): GroupWish =>
  parsed(text, (from) => ({ instanceGroup: from.text('instanceGroup') }));

export const parseEnrolmentWish = (text: string): EnrolmentWish =>
  parsed(text, (from) => {
    const node = from.text('node');
    if (!isNodeName(node)) from.faults.push('node');
    return { node };
  });

export const parseEnrolWish = (text: string): EnrolWish =>
  parsed(text, (from) => ({ text: from.text('text'), ...from.optional('version', (name) => from.text(name)) }));

export const printMachines = (machines: Observed<CloudMachine>): string => JSON.stringify(machines);

export const parseMachines = (text: string): Observed<CloudMachine> =>
  parsed(text, (from) => ({ revision: from.text('revision'), items: from.objects('items', machineIn) }));

const machineIn = (from: FieldReader): CloudMachine => ({
  instanceId: from.text('instanceId'),
  nodeName: from.text('nodeName', 'may be empty'),
  address: from.text('address', 'may be empty'),
  externalAddresses: from.texts('externalAddresses'),
  role: from.word('role', ROLES),
  instanceGroup: from.text('instanceGroup', 'may be empty'),
  running: from.boolean('running'),
  ...from.optional('launchedMs', (name) => from.number(name)),
  ...from.optional('startedMs', (name) => from.number(name)),
});

/** Undefined for a group that the cluster does not have. */
export const printRights = (rights: GroupRights | undefined): string => JSON.stringify({ rights });

export const parseRights = (text: string): GroupRights | undefined =>
  parsed(text, (from) => from.optional('rights', (name) => from.object(name, rightsIn))).rights;

/** What machines of a group may have, in the file of the store and in an answer. */
export const rightsIn = (from: FieldReader): GroupRights => ({
  ...from.optional('principal', (name) => from.text(name)),
  secrets: from.texts('secrets'),
  authorities: from.texts('authorities'),
});

export const printKnowledge = (knowledge: MachineKnowledge): string => JSON.stringify(knowledge);

export const parseKnowledge = (text: string): MachineKnowledge =>
  parsed(text, (from) => ({
    clusterCa: from.text('clusterCa'),
    secrets: from.record('secrets', (values, name) => values.text(name)),
    authorities: from.record('authorities', (values, name) => values.text(name)),
  }));

/** Undefined if nobody has the name. */
export const printStoredEnrolment = (stored: StoredEnrolment | undefined): string => JSON.stringify({ stored });

export const parseStoredEnrolment = (text: string): StoredEnrolment | undefined =>
  parsed(text, (from) =>
    from.optional('stored', (name) =>
      from.object(name, (one) => ({ text: one.text('text'), version: one.text('version') })),
    ),
  ).stored;

/** False if it has changed since it was read. */
export const printWritten = (isWritten: boolean): string => JSON.stringify({ isWritten });

export const parseWritten = (text: string): boolean => parsed(text, (from) => from.boolean('isWritten'));

export const printVerifierFacts = (facts: object): string => JSON.stringify({ facts });

/** The verifier of the cloud decides what it holds. */
export function parseVerifierFacts(text: string): unknown {
  return asRecord(JSON.parse(text))['facts'];
}

export const printFailure = ({ what, why, next }: BrokerFailure): string => JSON.stringify({ what, why, next });

export const parseFailure = (text: string): BrokerFailure =>
  parsed(text, (from) => ({ what: from.text('what'), why: from.text('why'), next: from.text('next') }));

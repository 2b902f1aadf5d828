import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ifUnchanged } from '../condition.ts';
import type { StateStore } from '../store.ts';
import { ConflictError } from '../store.ts';
import { parseJson, printJson } from './backup-layout.ts';

/** What each etcd-manager says about its own member in `control/status/<member>.json`, for people and their tools. */
export interface MemberStatus {
  readonly member: string;
  readonly address: string;
  /** ISO 8601, by the member's own clock. */
  readonly updatedAt: string;
  /** The manager's last decision, e.g. `nothing: serving`. */
  readonly decision: string;
  /** This manager is the one that acts for the whole cluster. */
  readonly isLeader: boolean;
  /** The newest leadership term among the managers that it knows of: the status was written since that term began. */
  readonly epoch?: number;
  readonly wantedVersion: string;
  /** Data of the cluster is on the volume, or an etcd that fetches it is running. */
  readonly hasData?: boolean;
  /** That data is of etcd 2. */
  readonly holdsEtcd2?: boolean;
  /** It has served this cluster before: without data it must be replaced by a new member. */
  readonly hasServed?: boolean;
  /** Why this member's data cannot be used: its etcd does not start with it, or the disk refuses writes. */
  readonly problem?: string;
  /** The version of etcd that its data names, where the managers have not recorded one (`3.4.0`: a minor version). */
  readonly dataVersion?: string;
  /** A different text each time the manager starts etcd: from then on, its data may differ from what it was. */
  readonly etcdStart?: string;
  /** What a person has to decide about the whole etcd cluster. Only the leading manager says it. */
  readonly advice?: { readonly what: string; readonly next: string };
  /** The versions of etcd on its machine. */
  readonly available?: readonly string[];
  /** Absent while its etcd does not answer. */
  readonly etcd?: {
    readonly memberId: string;
    readonly version: string;
    /** Absent without a quorum, as far as this member sees. */
    readonly leaderId?: string;
    readonly revision: number;
    readonly dbSizeBytes: number;
    readonly dbInUseBytes?: number;
    readonly quotaBytes?: number;
    readonly alarms: readonly string[];
    readonly isLearner: boolean;
  };
  /** The members as etcd lists them, where it answers. */
  readonly members?: readonly { readonly id: string; readonly name: string; readonly isLearner?: boolean }[];
}

const STATUS = 'control/status';

export async function readStatuses(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<readonly MemberStatus[]> {
  const entries = await store.list(`${backupPath}/${STATUS}`, signal);
  const files = await Promise.all(entries.map(({ path }) => store.read(path, signal)));
  return files.flatMap((file) => {
    const status = file && parseStatus(file.bytes);
    return status === undefined ? [] : [status];
  });
}

/** Undefined for a text that is torn or not a status: such a member counts as one that has said nothing. */
function parseStatus(bytes: Uint8Array): MemberStatus | undefined {
  const fields = new FieldReader(parseJson(bytes));
  const status: MemberStatus = {
    member: fields.text('member'),
    address: fields.text('address', 'may be empty'),
    updatedAt: fields.text('updatedAt'),
    decision: fields.text('decision', 'may be empty'),
    isLeader: fields.boolean('isLeader'),
    ...fields.optional('epoch', (name) => fields.number(name)),
    wantedVersion: fields.text('wantedVersion', 'may be empty'),
    ...fields.optional('hasData', (name) => fields.boolean(name)),
    ...fields.optional('holdsEtcd2', (name) => fields.boolean(name)),
    ...fields.optional('hasServed', (name) => fields.boolean(name)),
    ...fields.optional('problem', (name) => fields.text(name, 'may be empty')),
    ...fields.optional('dataVersion', (name) => fields.text(name)),
    ...fields.optional('etcdStart', (name) => fields.text(name)),
    ...fields.optional('advice', (name) => fields.object(name, readAdvice)),
    ...fields.optional('available', (name) => fields.texts(name)),
    ...fields.optional('etcd', (name) => fields.object(name, readEtcd)),
    ...fields.optional('members', (name) => fields.objects(name, readMember)),
  };
  return fields.faults.length === 0 ? status : undefined;
}

const readAdvice = (fields: FieldReader): NonNullable<MemberStatus['advice']> => ({
  what: fields.text('what'),
  next: fields.text('next'),
});

const readEtcd = (fields: FieldReader): NonNullable<MemberStatus['etcd']> => ({
  memberId: fields.text('memberId'),
  version: fields.text('version', 'may be empty'),
  ...fields.optional('leaderId', (name) => fields.text(name, 'may be empty')),
  revision: fields.number('revision'),
  dbSizeBytes: fields.number('dbSizeBytes'),
  ...fields.optional('dbInUseBytes', (name) => fields.number(name)),
  ...fields.optional('quotaBytes', (name) => fields.number(name)),
  alarms: fields.texts('alarms'),
  isLearner: fields.boolean('isLearner'),
});

const readMember = (fields: FieldReader): NonNullable<MemberStatus['members']>[number] => ({
  id: fields.text('id'),
  name: fields.text('name', 'may be empty'),
  ...fields.optional('isLearner', (name) => fields.boolean(name)),
});

/** Replaces this member's status. Only the member itself writes it. */
export async function publishStatus(
  store: StateStore,
  backupPath: string,
  status: MemberStatus,
  signal?: AbortSignal,
): Promise<void> {
  const path = `${backupPath}/${STATUS}/${status.member}.json`;
  const there = await store.read(path, signal);
  const condition = ifUnchanged(there?.version);
  try {
    await store.write(path, Buffer.from(printJson(status)), condition, signal);
  } catch (error) {
    // A manager that is just being replaced by the next one of its machine; the next status settles it.
    if (!(error instanceof ConflictError)) throw error;
  }
}

import type { RestoreRecord, StoppedData } from './restore-record.ts';

/**
 * Returns the member that backs up the data from before the restore: among the members whose data is not given up, the
 * one whose etcd was furthest when it stopped. It has everything that any of them confirmed to a client. Undefined when
 * no member is left that has more than was backed up while etcd ran.
 */
export function keeperOf(record: RestoreRecord): string | undefined {
  return furthestOf(unkept(record));
}

/** What the etcds had when they stopped, where it is in no backup yet and not given up. By member. */
function unkept({ stopped = {}, notKept = {}, safetyRevision = -1 }: RestoreRecord): StoppedByMember {
  const left = Object.entries(stopped).filter(
    ([member, { revision }]) => notKept[member] === undefined && revision > safetyRevision,
  );
  return Object.fromEntries(left);
}

type StoppedByMember = NonNullable<RestoreRecord['stopped']>;

/** Data that is to be backed up, and the member that has it on its volume. */
export interface Unkept {
  readonly keeper: string;
  readonly data: StoppedData;
  /** It is from before an earlier restore, which was given up. */
  readonly isCarriedOver: boolean;
}

/** What is backed up next in the phase `keeping`: first what an earlier restore has left. Undefined if nothing is left to back up. */
export function nextToKeep(record: RestoreRecord): Unkept | undefined {
  const { stopped = {}, carriedOver = {} } = record;
  const ofCarried = carriedKeeperOf(record);
  const keeper = ofCarried ?? keeperOf(record);
  const data = keeper === undefined ? undefined : (ofCarried === undefined ? stopped : carriedOver)[keeper];
  if (keeper === undefined || data === undefined) return undefined;
  return { keeper, data, isCarriedOver: ofCarried !== undefined };
}

function carriedKeeperOf({ carriedOver = {}, carriedBackup, notKept = {} }: RestoreRecord): string | undefined {
  if (carriedBackup !== undefined) return undefined;
  return furthestOf(
    Object.fromEntries(Object.entries(carriedOver).filter(([member]) => notKept[member] === undefined)),
  );
}

/** What is in no backup if the restore is given up before it has come to `keeping`; undefined if there is nothing. By member. */
export function dataLeftBy(record: RestoreRecord): StoppedByMember | undefined {
  if (record.carriedOver !== undefined) return record.carriedOver;
  const left = unkept(record);
  return hasDataToKeep(record) && Object.keys(left).length > 0 ? left : undefined;
}

function furthestOf(data: StoppedByMember): string | undefined {
  const [best] = Object.entries(data).sort(([a, one], [b, other]) => compareStopped(one, other) || (a < b ? -1 : 1));
  return best?.[0];
}

/**
 * Whether some data from before the restore is in no backup yet. Clients that are no API servers write until etcd stops, and
 * leases expire, so a backup that was taken while etcd ran may lack what came last.
 */
export function hasDataToKeep(record: RestoreRecord): boolean {
  if (carriedKeeperOf(record) !== undefined) return true;
  if (record.safetyBackup === undefined) return record.withoutSafetyBackup === undefined;
  return record.safetyRevision !== undefined && keeperOf(record) !== undefined;
}

/** The furthest first; logs of etcd 2 by Raft's rule: a later term comes before a longer log. */
function compareStopped(a: StoppedData, b: StoppedData): number {
  const none = { term: -1, index: -1 };
  const [one, other] = [a.etcd2 ?? none, b.etcd2 ?? none];
  return b.revision - a.revision || other.term - one.term || other.index - one.index;
}

/** Members whose data of etcd 2 can be read. */
export function holdersOfEtcd2({ stopped = {} }: Pick<RestoreRecord, 'stopped'>): readonly string[] {
  return Object.keys(stopped).filter((member) => stopped[member]?.etcd2 !== undefined);
}

/** Machines without etcd whose API server has begun to end. */
export function endingApiServers({ apiServers = {} }: RestoreRecord): readonly string[] {
  return Object.entries(apiServers).flatMap(([machine, state]) => (state === 'ending' ? [machine] : []));
}

/** The members that have not yet done their part of the phase. */
export function awaitedIn(record: RestoreRecord): readonly string[] {
  if (record.phase !== 'keeping') return record.members.filter((member) => !record.acknowledged.includes(member));
  const next = nextToKeep(record);
  return next === undefined ? [] : [next.keeper];
}

/** Machines without etcd whose API server has yet to end: by name where they have begun to, else by address. */
export function awaitedApiServers(record: RestoreRecord): readonly string[] {
  if (record.phase === 'stopping') return [...endingApiServers(record), ...(record.runningApiServers ?? [])];
  return record.phase === 'restoring' ? endingApiServers(record) : [];
}

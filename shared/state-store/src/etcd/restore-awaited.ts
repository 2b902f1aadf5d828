import type { RestoreRecord, StoppedData } from './restore-record.ts';

/**
 * Returns the member that backs up the data from before the restore: among the members whose data is not given up, the
 * one whose etcd was furthest when it stopped. It has everything that any of them confirmed to a client. Undefined when
 * no member is left that has more than was backed up while etcd ran.
 */
export function keeperOf({ stopped = {}, notKept = {}, safetyRevision = -1 }: RestoreRecord): string | undefined {
  const [best] = Object.entries(stopped)
    .filter(([member, { revision }]) => notKept[member] === undefined && revision > safetyRevision)
    .sort(([a, one], [b, other]) => compareStopped(one, other) || (a < b ? -1 : 1));
  return best?.[0];
}

/**
 * Whether some data from before the restore is in no backup yet. Clients that are no API servers write until etcd stops, and
 * leases expire, so a backup that was taken while etcd ran may lack what came last.
 */
export function hasDataToKeep(record: RestoreRecord): boolean {
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
  const keeper = keeperOf(record);
  return keeper === undefined ? [] : [keeper];
}

/** Machines without etcd whose API server has yet to end: by name where they have begun to, else by address. */
export function awaitedApiServers(record: RestoreRecord): readonly string[] {
  if (record.phase === 'stopping') return [...endingApiServers(record), ...(record.runningApiServers ?? [])];
  return record.phase === 'restoring' ? endingApiServers(record) : [];
}

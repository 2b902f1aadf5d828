import { minorOf } from './choose-version.ts';

/** A member as far as its version goes. */
export interface VersionedMember {
  readonly member: string;
  /** What it may run, by the record. */
  readonly recorded?: string;
  /** What answers. */
  readonly running?: string;
  readonly isWell: boolean;
  readonly isLeader: boolean;
  /** The versions on its machine; empty while its manager says nothing. */
  readonly available: readonly string[];
}

export type UpgradeStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  /** `byRestore`: restoring a backup is the way that a person may choose. */
  | { readonly action: 'refuse'; readonly next: string; readonly byRestore?: true }
  | { readonly action: 'record'; readonly member: string; readonly version: string }
  | { readonly action: 'move-leader'; readonly to: string }
  /** Back up what is there once the API servers have ended, and restore that with the version. */
  | { readonly action: 'restore'; readonly version: string }
  /** After a backup. */
  | { readonly action: 'allow'; readonly member: string; readonly version: string; readonly backup: boolean }
);

/**
 * Decides the leader's next step towards the wanted version. Members follow one at a time, the etcd leader last and
 * only after it has handed over, each once all others are well; etcd goes up by one minor version at a time
 * (etcd.io/docs, "Upgrading etcd clusters and applications") and never down in place.
 *
 * Where no version in between is at hand, the members go up by backup and restore, which loses nothing and takes the API
 * away for as long. Down they go only when a person asks for it: a lower version in the spec is more often a slip (the
 * default of an older kopsctl) than a wish.
 *
 * @param failedBefore why going to this version by restore has failed: it is not tried again and again
 */
export function planUpgrade(wanted: string, members: readonly VersionedMember[], failedBefore?: string): UpgradeStep {
  const unrecorded = members.find(isUnrecorded);
  if (unrecorded?.running !== undefined) {
    const { member, running } = unrecorded;
    return { action: 'record', member, version: running, summary: `${member} runs ${running}` };
  }
  const stuck = members.find((one) => !one.isWell && one.available.length > 0 && !canRunOn(one));
  if (stuck !== undefined) return planStuck(stuck);
  const pending = members.filter(({ recorded }) => recorded !== undefined && recorded !== wanted);
  if (pending.length === 0) return { action: 'nothing', summary: `every member runs ${wanted}` };
  const away = members.filter(({ isWell }) => !isWell).map(({ member }) => member);
  if (away.length > 0) return { action: 'wait', summary: `wait for ${away.join(', ')} before going to ${wanted}` };
  const oldest = Math.min(...members.map(({ recorded = wanted }) => minorOf(recorded)));
  const target = nextVersion(wanted, oldest, members);
  if (target === undefined) return planWithout(wanted, oldest, pending, failedBefore);
  const behind = pending.filter(({ recorded }) => recorded !== target);
  const next = behind.find(({ isLeader }) => !isLeader) ?? behind[0];
  if (next === undefined) return { action: 'nothing', summary: `every member runs ${target}` };
  const heir = members.find(({ isLeader, member }) => !isLeader && member !== next.member);
  if (next.isLeader && heir !== undefined) {
    const summary = `let ${heir.member} lead: ${next.member} goes to ${target}`;
    return { action: 'move-leader', to: heir.member, summary };
  }
  const summary = `${next.member} goes from ${next.recorded ?? '?'} to ${target}`;
  return { action: 'allow', member: next.member, version: target, backup: true, summary };
}

/** It runs what nobody has written down: its first version, or a patch release in place of one that is not there. */
function isUnrecorded({ recorded, running, available }: VersionedMember): boolean {
  if (running === undefined) return false;
  return recorded === undefined || (recorded !== running && !available.includes(recorded));
}

/** What its data was served by is on its machine, or a patch release of it. */
function canRunOn({ recorded, available }: VersionedMember): boolean {
  return recorded === undefined || available.some((version) => minorOf(version) === minorOf(recorded));
}

/** A machine that was made anew brings another etcd only: one minor further is the way that etcd goes anyway. */
function planStuck({ member, recorded = '', available }: VersionedMember): UpgradeStep {
  const version = available.find((one) => minorOf(one) === minorOf(recorded) + 1);
  if (version !== undefined) {
    const summary = `${member} goes from ${recorded} to ${version}, which its machine has`;
    return { action: 'allow', member, version, backup: false, summary };
  }
  return {
    action: 'refuse',
    summary: `the data of ${member} was served by etcd ${recorded}, and its machine has ${available.join(', ')}`,
    next: 'give spec.etcdClusters[].version a version that is one minor further at most, or restore a backup',
    byRestore: true,
  };
}

/** The version all members can go to next: the wanted one, or a step on the way to it. */
function nextVersion(wanted: string, oldest: number, members: readonly VersionedMember[]): string | undefined {
  const isEverywhere = (version: string): boolean => members.every(({ available }) => available.includes(version));
  const distance = minorOf(wanted) - oldest;
  if (distance === 0 || distance === 1) return isEverywhere(wanted) ? wanted : undefined;
  if (distance < 0) return undefined;
  const [first] = members;
  return first?.available.find((version) => minorOf(version) === oldest + 1 && isEverywhere(version));
}

/** There is no way in place. */
function planWithout(
  wanted: string,
  oldest: number,
  pending: readonly VersionedMember[],
  failedBefore: string | undefined,
): UpgradeStep {
  const lacking = pending.filter(({ available }) => !available.includes(wanted)).map(({ member }) => member);
  if (lacking.length > 0) {
    return { action: 'wait', summary: `the machines of ${lacking.join(', ')} have no etcd ${wanted} yet` };
  }
  if (minorOf(wanted) < oldest) {
    return {
      action: 'refuse',
      summary: `the members run a newer etcd than ${wanted}, and etcd does not go back in place`,
      next: `back up, then restore that with etcd ${wanted}`,
      byRestore: true,
    };
  }
  if (failedBefore !== undefined) {
    return {
      action: 'refuse',
      summary: `going to ${wanted} by backup and restore has failed: ${failedBefore}`,
      next: 'mend that, then back up and restore',
      byRestore: true,
    };
  }
  const versions = [...new Set(pending.map(({ recorded = '?' }) => recorded))].join(', ');
  const summary = `go from ${versions} to ${wanted} by backup and restore: the machines have no version in between`;
  return { action: 'restore', version: wanted, summary };
}

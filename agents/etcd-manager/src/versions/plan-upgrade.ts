import { minorNumber, minorOf } from '@kopsctl/spec/minor-version.ts';
import { isAtLeast } from './at-least.ts';
import { startsFromRestored } from './starts-from-restored.ts';

/**
 * The patch release that every member has to run before any goes to a minor version (etcd.io/docs, "Upgrade etcd from v3.5 to
 * v3.6" and "from v3.6 to v3.7"). Before 3.5.26 members that were removed, or were promoted from learners, come back as they
 * were before, because 3.6 reads the members from another store than 3.5 does.
 */
const READY_FOR: Readonly<Record<number, string>> = { 306: '3.5.26', 307: '3.6.11' };

export interface VersionedMember {
  readonly member: string;
  /** The version that it may run, by the record. */
  readonly recorded?: string;
  /** The version that answers; absent if none does. */
  readonly running?: string;
  readonly isWell: boolean;
  readonly isLeader: boolean;
  /** The versions on its machine; empty if its manager has not reported them. */
  readonly available: readonly string[];
}

export type UpgradeStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  /** `byRestore`: a person may restore a backup instead. */
  | { readonly action: 'refuse'; readonly next: string; readonly byRestore?: true }
  | { readonly action: 'record'; readonly member: string; readonly version: string }
  | { readonly action: 'move-leader'; readonly to: string }
  /** Once the API servers have stopped, take a backup and restore it with this version. */
  | { readonly action: 'restore'; readonly version: string }
  /** Let a member run this version, after taking a backup if `backup` says so. */
  | { readonly action: 'allow'; readonly member: string; readonly version: string; readonly backup: boolean }
);

/**
 * Decides the leader's next step towards the wanted version. Members are upgraded one at a time, each while all others are
 * healthy, and the etcd leader last, after it has handed over. An upgrade goes up by one minor version at a time and never
 * down in place (etcd.io/docs, "Upgrading etcd clusters and applications").
 *
 * Before some minor versions every member has to run a certain patch release. If the machines have no version in between, the
 * members are upgraded by backup and restore, which loses nothing but makes the API unavailable meanwhile. A downgrade is left
 * to a person: a lower version in the spec is more often a mistake (the default of an older kopsctl) than intended.
 *
 * @param failedBefore why an upgrade to this version by restore has failed before, in which case it is not tried again
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
  if (away.length > 0)
    return { action: 'wait', summary: `wait for ${away.join(', ')} to be healthy before going to ${wanted}` };
  const oldest = Math.min(...members.map(({ recorded = wanted }) => minorNumber(recorded)));
  const target = nextVersion(wanted, oldest, members);
  if (target === undefined) return planWithout(wanted, oldest, pending, failedBefore);
  const behind = pending.filter(
    ({ recorded = target }) => recorded !== target && minorNumber(recorded) <= minorNumber(target),
  );
  const next = behind.find(({ isLeader }) => !isLeader) ?? behind[0];
  if (next === undefined) return { action: 'nothing', summary: `every member runs ${target}` };
  const heir = members.find(({ isLeader, member }) => !isLeader && member !== next.member);
  if (next.isLeader && heir !== undefined) {
    const summary = `move the leadership to ${heir.member}: ${next.member} will be upgraded to ${target}`;
    return { action: 'move-leader', to: heir.member, summary };
  }
  const summary = `${next.member} goes from ${next.recorded ?? '?'} to ${target}`;
  return { action: 'allow', member: next.member, version: target, backup: true, summary };
}

/** The record lacks the version that it runs: its first one, or a patch release in place of one that its machine lacks. */
function isUnrecorded({ recorded, running, available }: VersionedMember): boolean {
  if (running === undefined) return false;
  return recorded === undefined || (recorded !== running && !available.includes(recorded));
}

/** Its machine has the version that served its data, or another patch release of it. */
function canRunOn({ recorded, available }: VersionedMember): boolean {
  return recorded === undefined || available.some((version) => minorNumber(version) === minorNumber(recorded));
}

/** A recreated machine may only have another version of etcd. The next minor version is one that etcd can upgrade to. */
function planStuck({ member, recorded = '', available }: VersionedMember): UpgradeStep {
  const version = available.find((one) => minorNumber(one) === minorNumber(recorded) + 1);
  if (version !== undefined && isReady(recorded, minorNumber(version))) {
    const summary = `${member} goes from ${recorded} to ${version}, the version that its machine has`;
    return { action: 'allow', member, version, backup: false, summary };
  }
  const least = version === undefined ? undefined : READY_FOR[minorNumber(version)];
  const first =
    least === undefined ? '' : `; from ${recorded} etcd can go to ${version} only by way of ${least} or newer`;
  return {
    action: 'refuse',
    summary: `the data of ${member} was served by etcd ${recorded}, but its machine only has ${available.join(', ')}${first}`,
    next: 'set spec.etcdClusters[].version to a version at most one minor version higher, or restore a backup',
    byRestore: true,
  };
}

function isReady(recorded: string, nextMinor: number): boolean {
  const least = READY_FOR[nextMinor];
  return least === undefined || minorNumber(recorded) !== nextMinor - 1 || isAtLeast(recorded, least);
}

/** The version that all members can go to next: the wanted one or one on the way to it; undefined if there is none. */
function nextVersion(wanted: string, oldest: number, members: readonly VersionedMember[]): string | undefined {
  const isEverywhere = (version: string): boolean => members.every(({ available }) => available.includes(version));
  const distance = minorNumber(wanted) - oldest;
  const next = oldest + 1;
  if (distance > 0 && !members.every(({ recorded = wanted }) => isReady(recorded, next))) {
    const least = READY_FOR[next] ?? '';
    const [one] = members;
    return one?.available.find(
      (version) => minorNumber(version) === oldest && isAtLeast(version, least) && isEverywhere(version),
    );
  }
  if (distance === 0 || distance === 1) return isEverywhere(wanted) ? wanted : undefined;
  if (distance < 0) return undefined;
  const [first] = members;
  return first?.available.find((version) => minorNumber(version) === next && isEverywhere(version));
}

/** What to do if the members cannot be upgraded in place. */
function planWithout(
  wanted: string,
  oldest: number,
  pending: readonly VersionedMember[],
  failedBefore: string | undefined,
): UpgradeStep {
  const lacking = pending.filter(({ available }) => !available.includes(wanted)).map(({ member }) => member);
  if (lacking.length > 0) {
    return { action: 'wait', summary: `wait for the machines of ${lacking.join(', ')} to get etcd ${wanted}` };
  }
  if (minorNumber(wanted) < oldest) {
    const later = pending.find(({ recorded = wanted }) => !startsFromRestored(wanted, recorded))?.recorded;
    if (later !== undefined) {
      return {
        action: 'refuse',
        summary: `the members run a newer etcd than ${wanted}, which starts neither from their data nor from a backup of it`,
        next: `set spec.etcdClusters[].version to a version of ${minorOf(later)}`,
      };
    }
    return {
      action: 'refuse',
      summary: `the members run a newer etcd than ${wanted}, and etcd cannot be downgraded in place`,
      next: `take a backup, then restore it with etcd ${wanted}`,
      byRestore: true,
    };
  }
  if (failedBefore !== undefined) {
    return {
      action: 'refuse',
      summary: `going to ${wanted} by backup and restore has failed: ${failedBefore}`,
      next: 'fix the cause, then take a backup and restore it',
      byRestore: true,
    };
  }
  const versions = [...new Set(pending.map(({ recorded = '?' }) => recorded))].join(', ');
  const summary = `go from ${versions} to ${wanted} by backup and restore: the machines have no version in between`;
  return { action: 'restore', version: wanted, summary };
}

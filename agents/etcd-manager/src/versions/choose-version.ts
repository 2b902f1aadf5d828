import { minorNumber } from '@kopsctl/spec/minor-version.ts';

/** Data that the record of versions does not know: it was lost or damaged, or the cluster was adopted from kops. */
export interface UnrecordedData {
  /** The version that runs on it, otherwise the one that the data itself names; absent if neither can be told. */
  readonly version?: string;
  readonly isRunning: boolean;
}

/**
 * The etcd version that this machine's member runs: the version that served its data, or another patch release of it. A
 * newer minor version would change the data for good, so without a record the data or the process itself decides. If
 * nothing tells the version, a running etcd keeps running, and otherwise the oldest is started: it refuses newer data and
 * leaves it unchanged.
 *
 * @param recorded the version in the record
 * @param unrecorded the data of a member that is not in the record; undefined if it has none
 * @returns undefined if this machine lacks that version, so the leader must allow another one (plan-upgrade.ts)
 */
export function chooseVersion(
  recorded: string | undefined,
  wanted: string,
  available: readonly string[],
  unrecorded?: UnrecordedData,
): string | undefined {
  const served = recorded ?? unrecorded?.version;
  if (served !== undefined) {
    if (available.includes(served)) return served;
    return available.find((version) => minorNumber(version) === minorNumber(served));
  }
  if (unrecorded === undefined) return available.includes(wanted) ? wanted : available[0];
  return unrecorded.isRunning ? undefined : available.toSorted((a, b) => minorNumber(a) - minorNumber(b))[0];
}

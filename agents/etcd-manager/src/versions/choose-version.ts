/** The minor version as a number that can be compared, e.g. 304 for 3.4.23. */
export function minorOf(version: string): number {
  const [major = '0', minor = '0'] = version.replace(/^v/, '').split('.');
  return Number(major) * 100 + Number(minor);
}

/**
 * The etcd version that this machine's member runs: the version that served its data, or another patch release of it. A
 * newer minor version would change the data for good.
 *
 * @param recorded the version in the record; undefined if the member has never served
 * @returns undefined if this machine lacks that version, so the leader must allow another one (plan-upgrade.ts)
 */
export function chooseVersion(
  recorded: string | undefined,
  wanted: string,
  available: readonly string[],
): string | undefined {
  const preferred = recorded ?? wanted;
  if (available.includes(preferred)) return preferred;
  if (recorded === undefined) return available[0];
  return available.find((version) => minorOf(version) === minorOf(recorded));
}

/** The minor version as a number that can be compared: 3.4.23 is 304. */
export function minorOf(version: string): number {
  const [major = '0', minor = '0'] = version.replace(/^v/, '').split('.');
  return Number(major) * 100 + Number(minor);
}

/**
 * The etcd that this machine's member runs: the one its data was served by, for etcd changes data for good when a newer
 * one opens it. A patch release does not. Undefined where that is not on this machine: the leader must allow another
 * (plan-upgrade.ts).
 *
 * @param recorded what the record says; undefined: the member has never served
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

import { withBoltFile } from '../restore/bolt/bolt-file.ts';

/** The version of a cluster that is too young to have agreed on one (etcd's version/version.go: MinClusterVersion). */
const NOT_AGREED = '3.0.0';

/**
 * The version of the cluster that the data of a member names, e.g. `3.4.0`: the lowest minor version of its members, which
 * etcd stores in its database (etcd 3.1 and newer, membership/store.go: bucket `cluster`, key `clusterVersion`).
 *
 * @returns undefined if the database does not tell: a cluster that has not agreed on a version yet, or a damaged file
 */
export async function dataVersion(databasePath: string): Promise<string | undefined> {
  try {
    const value = await withBoltFile(databasePath, (file) => file.get('cluster', Buffer.from('clusterVersion')), 'r');
    const version = value === undefined ? undefined : /^\d+\.\d+\.\d+/.exec(value.toString('utf8'))?.[0];
    return version === NOT_AGREED ? undefined : version;
  } catch {
    // Without it, the member falls back to the oldest etcd, which refuses newer data and does not change it.
    return undefined;
  }
}

import { minorNumber } from '@kopsctl/spec/minor-version.ts';

/**
 * Since this version etcd takes the version of its cluster from the database, where `snapshot restore` leaves it, and ends at
 * once if that is a later one than its own (etcd 3.6 etcdserver/version/downgrade.go: MustDetectDowngrade). Before, a restored
 * cluster agreed on a new version.
 */
const MINDS_LATER_DATA = 306;

/** Whether etcd of this version starts from a restored snapshot that another version has written. */
export function startsFromRestored(version: string, written: string): boolean {
  return minorNumber(version) < MINDS_LATER_DATA || minorNumber(written) <= minorNumber(version);
}

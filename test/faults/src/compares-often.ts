import { isAtLeast } from '@kopsctl/etcd-manager/versions/at-least.ts';

/** The setting by which etcd compares the hashes of its members every few seconds. etcd 3.6 does not start with both names. */
export function comparesOften(version: string): Readonly<Record<string, string>> {
  return isAtLeast(version, '3.6.0')
    ? { ETCD_CORRUPT_CHECK_TIME: '3s' }
    : { ETCD_EXPERIMENTAL_CORRUPT_CHECK_TIME: '3s' };
}

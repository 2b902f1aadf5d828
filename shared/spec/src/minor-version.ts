import { bareVersion } from './names.ts';

/** The minor version that a version of Kubernetes or etcd belongs to: `1.36` of `v1.36.2`. */
export const minorOf = (version: string): string => bareVersion(version).split('.').slice(0, 2).join('.');

/** A minor version as a number that is 1 more for the next one: 136 of `v1.36.2`, 304 of `3.4.23`. NaN of other text. */
export function minorNumber(version: string): number {
  const [major = '0', minor = '0'] = bareVersion(version).split('.');
  return Number(major) * 100 + Number(minor);
}

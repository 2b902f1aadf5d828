import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

/** The region of a zone: `eu-west-1a` is in eu-west-1, `us-west-2-lax-1a` in us-west-2. */
export const regionOfZone = (zone: string): string => /^([a-z]+(?:-[a-z]+)+-\d+)/.exec(zone)?.[1] ?? zone;

/** The region of the cluster's zones. */
export function regionOf(clusterName: string, { subnets }: ClusterSpec): string {
  const zones = (subnets ?? []).flatMap(({ zone }) => zone ?? []);
  const regions = new Set(zones.map((zone) => regionOfZone(zone)));
  const [region, ...others] = regions;
  if (region !== undefined && others.length === 0) return region;
  throw new ActionableError({
    what: `find the AWS region of ${clusterName}`,
    why: region === undefined ? 'no subnet has a zone' : `its subnets are in ${[region, ...others].join(' and ')}`,
    next: 'give every subnet in spec.subnets a zone of the same region, such as eu-west-1a',
  });
}

/** Zones are named after their region, with a letter: `eu-west-1a`, `us-gov-west-1b`, `eusc-de-east-1a`, and local zones `us-west-2-lax-1a`. */
export const isAwsZone = (zone: string): boolean => /^[a-z]{2,4}(-[a-z]+)+-\d+(-[a-z]+-\d+)?[a-z]$/.test(zone);

/** Partitions by the prefix of their regions. `us-test-1` is the region of kops's own tests. */
const PARTITIONS: readonly (readonly [prefix: string, partition: string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-isob-', 'aws-iso-b'],
  ['us-isof-', 'aws-iso-f'],
  ['eu-isoe-', 'aws-iso-e'],
  ['us-iso-', 'aws-iso'],
  ['eusc-', 'aws-eusc'],
  ['us-test-', 'aws-test'],
];

/** The partition of a region, as in `arn:<partition>:iam::…`. */
export function partitionOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}

/** The DNS suffix of service principals and endpoints in a partition. */
export function servicesDomainOf(region: string): string {
  return partitionOf(region) === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
}

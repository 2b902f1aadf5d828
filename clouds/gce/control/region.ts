import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

/** The region of a zone: us-central1-a is in us-central1. Undefined if it is not the name of a zone. */
export const regionOfZone = (zone: string): string | undefined => /^([a-z]+-[a-z0-9]+)-[a-z]$/.exec(zone)?.[1];

/** The region of the cluster's subnets. */
export function regionOf(clusterName: string, { subnets }: ClusterSpec): string {
  const [region, ...others] = new Set((subnets ?? []).flatMap((subnet) => subnet.region ?? []));
  if (region !== undefined && others.length === 0) return region;
  throw new ActionableError({
    what: `find the region of ${clusterName}`,
    why: region === undefined ? 'no subnet has a region' : `its subnets are in ${[region, ...others].join(' and ')}`,
    next: 'give every subnet in spec.subnets the same region, such as us-east1',
  });
}

export function projectOf(clusterName: string, { project }: ClusterSpec): string {
  if (project !== undefined && project !== '') return project;
  throw new ActionableError({
    what: `find the project of ${clusterName}`,
    why: 'the cluster has none',
    next: 'set spec.project to the id of a project',
  });
}

import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { table } from './table.ts';

export const clusterTable = (clusters: readonly Cluster[]): string =>
  table(
    ['NAME', 'CLOUD', 'VERSION', 'ZONES'],
    clusters.map(({ metadata, spec }) => [
      metadata.name,
      spec.cloudProvider ?? '',
      spec.kubernetesVersion ?? '',
      [...new Set((spec.subnets ?? []).flatMap(({ zone }) => zone ?? []))].join(','),
    ]),
  );

export const groupTable = (groups: readonly InstanceGroup[]): string =>
  table(
    ['NAME', 'ROLE', 'MACHINETYPE', 'MIN', 'MAX', 'SUBNETS'],
    groups.map(({ metadata, spec }) => [
      metadata.name,
      spec.role ?? '',
      spec.machineType ?? '',
      String(spec.minSize ?? ''),
      String(spec.maxSize ?? ''),
      (spec.subnets ?? []).join(','),
    ]),
  );

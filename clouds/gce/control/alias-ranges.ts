import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { suffixed } from './names.ts';

/** Whether pods have addresses of the subnet: each machine gets a part of its secondary range (kops UsesIPAliases). */
export const usesAliasRanges = ({ networking }: ClusterSpec): boolean =>
  networking?.gce !== undefined || networking?.kindnet !== undefined;

/** The names of a subnet's secondary ranges. Only that of pods is used by machines. */
export const podRangeName = (clusterName: string): string => suffixed('pods', clusterName);
export const serviceRangeName = (clusterName: string): string => suffixed('services', clusterName);

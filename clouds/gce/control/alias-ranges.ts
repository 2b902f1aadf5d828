import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { suffixed } from './names.ts';

/** Whether pods have addresses of the subnet: each machine gets a part of its secondary range (kops UsesIPAliases). */
export const usesAliasRanges = ({ networking }: ClusterSpec): boolean =>
  networking?.gce !== undefined || networking?.kindnet !== undefined;

const NODE_MASK_SIZE = 24;

/**
 * The length of the part of the secondary range that a machine gets. Its default is not in the completed spec: there it would be a
 * flag of kube-controller-manager, which gives out no ranges here (kops pkg/model/gcemodel/autoscalinggroup.go).
 */
export const podRangeLength = ({ kubeControllerManager }: ClusterSpec): number =>
  kubeControllerManager?.nodeCIDRMaskSize ?? NODE_MASK_SIZE;

/** What `explain` says of it. */
export const leftOpen = (spec: ClusterSpec): Readonly<Record<string, string>> =>
  usesAliasRanges(spec)
    ? {
        'spec.kubeControllerManager.nodeCIDRMaskSize': `no value here: Google gives each machine a /${NODE_MASK_SIZE} for its pods`,
      }
    : {};

/** The names of a subnet's secondary ranges. Only that of pods is used by machines. */
export const podRangeName = (clusterName: string): string => suffixed('pods', clusterName);
export const serviceRangeName = (clusterName: string): string => suffixed('services', clusterName);

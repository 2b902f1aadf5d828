import type { ClusterSpec } from './cluster.ts';
import { CLUSTER_LABEL, type InstanceGroup } from './instance-group.ts';

/** The purpose of the machines in an instance group, regardless of how the role is spelled. */
export type Role = 'ControlPlane' | 'Node' | 'APIServer' | 'Bastion';

const ROLES: Readonly<Record<string, Role>> = {
  master: 'ControlPlane',
  controlplane: 'ControlPlane',
  'control-plane': 'ControlPlane',
  node: 'Node',
  apiserver: 'APIServer',
  bastion: 'Bastion',
};

/** The role that a word names, in any case; undefined if it names none. */
export const roleNamed = (word: string): Role | undefined => ROLES[word.toLowerCase()];

/** The role of an instance group. A group without a role runs nodes. */
export const roleOf = ({ spec }: Pick<InstanceGroup, 'spec'>): Role => roleNamed(spec.role ?? 'Node') ?? 'Node';

export const isControlPlane = (group: Pick<InstanceGroup, 'spec'>): boolean => roleOf(group) === 'ControlPlane';

/** The cluster that a group names in its label. */
export const clusterOfGroup = (group: InstanceGroup): string | undefined => group.metadata.labels?.[CLUSTER_LABEL];

/**
 * Whether the node itself makes the network of its pods, from the range that it is given: kubenet, and GCE's own network, which
 * only differs in who gives the range (kops pkg/model/components/context.go, UsesKubenet).
 */
export const usesKubenet = ({ networking }: ClusterSpec): boolean =>
  networking?.kubenet !== undefined || networking?.gce !== undefined;

/** Whether pods have addresses of the machine's network interfaces, whose number depends on its type. */
export const usesInterfacesOfVpc = ({ networking }: ClusterSpec): boolean =>
  networking?.amazonvpc !== undefined || networking?.cilium?.ipam === 'eni';

/** Whether the cloud routes to pods, with one route per node, because the pod network has no overlay. */
export const usesCloudRoutes = ({ networking }: ClusterSpec): boolean =>
  networking?.kubenet !== undefined || networking?.kindnet !== undefined;

/** Whether pods and Services have IPv6 addresses, and machines are known by theirs (kops ClusterSpec.IsIPv6Only). */
export const isIpv6Alone = ({ nonMasqueradeCIDR }: ClusterSpec): boolean => nonMasqueradeCIDR?.includes(':') === true;

/** Removes the leading v: `v1.20.2` and `1.20.2` are the same version. */
export const bareVersion = (version: string): string => version.replace(/^v/, '');

/*
 * Where the store keeps what people write (kops pkg/client/simple/vfsclientset). Paths are relative to its root.
 */

export type OwnKind = 'Cluster' | 'InstanceGroup';

export const isOwnKind = (kind: string): kind is OwnKind => kind === 'Cluster' || kind === 'InstanceGroup';

export const objectPath = (cluster: string, kind: OwnKind, name: string): string =>
  kind === 'Cluster' ? `${cluster}/config` : `${cluster}/instancegroup/${name}`;

export const instanceGroupFolder = (cluster: string): string => `${cluster}/instancegroup`;

/** Objects of a cluster that are not kops's own: all in one file. */
export const additionalObjectsPath = (cluster: string): string => `${cluster}/clusteraddons/default`;

/** The keyset of the cluster's CA, which every cluster has, below the cluster's folder. */
export const CLUSTER_CA = 'pki/private/kubernetes-ca/keyset.yaml';

/** Both halves of all keysets. */
export const keysetsFolder = (cluster: string): string => `${cluster}/pki`;

export const keysetFolder = (cluster: string): string => `${cluster}/pki/private`;

/** How people name an object, e.g. `instancegroup/nodes`. */
export const titleOf = (kind: string, name: string): string => `${kind.toLowerCase()}/${name}`;

/** Below a cluster's folder, the spec as kops completed it when it applied the cluster last; former releases have the second. */
export const COMPLETED_BY_KOPS: readonly string[] = ['cluster-completed.spec', 'cluster.spec'];

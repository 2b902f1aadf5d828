import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';

/** Created by us, not given by id. */
export const isOwn = (subnet: ClusterSubnetSpec): boolean => subnet.id === undefined || subnet.id === '';

/** Its ways out are ours to make. */
export const isManaged = (subnet: ClusterSubnetSpec): boolean => subnet.egress !== 'External';

export const isPublic = (subnet: ClusterSubnetSpec): boolean => subnet.type === 'Public' || subnet.type === 'Utility';

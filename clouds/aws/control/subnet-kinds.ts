import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';

/** Whether we create the subnet: the spec gives no id. */
export const isOwn = (subnet: ClusterSubnetSpec): boolean => subnet.id === undefined || subnet.id === '';

/** Whether we create its routes. */
export const isManaged = (subnet: ClusterSubnetSpec): boolean => subnet.egress !== 'External';

export const isPublic = (subnet: ClusterSubnetSpec): boolean => subnet.type === 'Public' || subnet.type === 'Utility';

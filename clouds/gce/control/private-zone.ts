import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';

/** Whether only the cluster's network sees the zone with its names. */
export const hasPrivateZone = ({ topology }: ClusterSpec): boolean => topology?.dns?.type === 'Private';

import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { hasKarpenter } from './karpenter-groups.ts';

/** Karpenter's own default (the field expireAfter of its kind NodePool). kops's completed spec has none. */
const LIFETIME = '720h';

/** How long Karpenter lets a machine live. Where the group says 0 it is not for ever either. */
export function karpenterLifetime({ maxInstanceLifetime = '' }: InstanceGroupSpec): string {
  return (parseDurationMs(maxInstanceLifetime) ?? 0) === 0 ? LIFETIME : maxInstanceLifetime;
}

/** What `explain` says of it. */
export const leftToPools = (spec: ClusterSpec, group: InstanceGroup): Readonly<Record<string, string>> =>
  hasKarpenter(spec) && group.spec.manager === 'Karpenter'
    ? { 'spec.maxInstanceLifetime': `no value here: ${LIFETIME}, the default of Karpenter` }
    : {};

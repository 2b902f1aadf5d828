import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { hasKarpenter } from './karpenter-groups.ts';

/**
 * What kops's addon says where the spec says nothing (kops addon karpenter.sh). It is not in the completed spec, as it is not in
 * that of kops (pkg/model/components/karpenter.go).
 */
const DEFAULTS = {
  cpuRequest: '500m',
  // A group with minSize has that many machines (StaticCapacity).
  featureGates:
    'ReservedCapacity=true,SpotToSpotConsolidation=false,NodeRepair=false,NodeOverlay=false,StaticCapacity=true',
  memoryLimit: '1Gi',
  memoryRequest: '1Gi',
} as const;

type Settings = Readonly<Record<keyof typeof DEFAULTS, string>>;

/** What Karpenter is told of these settings. An empty text is no value. */
export function karpenterSettings({ karpenter = {} }: ClusterSpec): Settings {
  const { cpuRequest, featureGates, memoryLimit, memoryRequest } = karpenter;
  const given = { cpuRequest, featureGates, memoryLimit, memoryRequest };
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== '');
  return { ...DEFAULTS, ...Object.fromEntries(set.map(([field, value]) => [field, String(value)])) };
}

/** Whether a group has a fixed number of machines, that of minSize (kops pkg/apis/kops/validation/instancegroup.go). */
export function hasStaticCapacity(spec: ClusterSpec): boolean {
  const { featureGates } = karpenterSettings(spec);
  const values = featureGates.split(',').map((gate) => gate.split('=').map((part) => part.trim()));
  return values.findLast(([name]) => name === 'StaticCapacity')?.[1]?.toLowerCase() === 'true';
}

/** What `explain` says of them. */
export const leftToKarpenter = (spec: ClusterSpec): Readonly<Record<string, string>> =>
  hasKarpenter(spec)
    ? Object.fromEntries(
        Object.entries(DEFAULTS).map(([field, value]) => [
          `spec.karpenter.${field}`,
          `no value here: ${value}, the default of kops's addon`,
        ]),
      )
    : {};

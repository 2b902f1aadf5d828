import { CLUSTER_LABEL, type InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CreateClusterFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { networkingOf } from './networking.ts';

/** The shortest spec of machines on this computer: everything else is inferred when it is applied. */
export function localCluster(flags: CreateClusterFlags): {
  readonly spec: ClusterSpec;
  readonly instanceGroups: readonly InstanceGroup[];
} {
  const group = (name: string, role: 'Master' | 'Node', size: number): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name, labels: { [CLUSTER_LABEL]: flags.name } },
    spec: { role, minSize: size, maxSize: size },
  });
  return {
    spec: {
      cloudProvider: 'local',
      ...given({
        kubernetesVersion: nonEmpty(flags.kubernetesVersion),
        networking: flags.networking === undefined ? undefined : networkingOf(flags.networking).networking,
        networkCIDR: flags.networkCidr?.[0],
      }),
    },
    instanceGroups: [
      group('control-plane', 'Master', flags.controlPlane?.count ?? 1),
      group('nodes', 'Node', flags.node?.count ?? 1),
    ],
  };
}

import { specCloud } from '@kopsctl/clouds/control.ts';
import { completeCluster, type Completed } from '@kopsctl/spec/complete.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';

function group(name: string, spec: InstanceGroupSpec): InstanceGroup {
  return { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'InstanceGroup', metadata: { name }, spec };
}

/** A small local cluster, completed; `spec` and `nodes` are laid over it. */
export function completedCluster(
  options: {
    readonly spec?: ClusterSpec;
    readonly controlPlanes?: number;
    readonly nodes?: InstanceGroupSpec;
    readonly name?: string;
  } = {},
): Completed {
  const cluster: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: options.name ?? 'demo.local.test' },
    spec: { cloudProvider: 'local', kubernetesVersion: '1.20.2', ...options.spec },
  };
  const count = options.controlPlanes ?? 1;
  const instanceGroups = [
    group('control-plane', { role: 'Master', minSize: count, maxSize: count }),
    group('nodes', { role: 'Node', minSize: 1, maxSize: 1, ...options.nodes }),
  ];
  return completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 'memory://store' }, specCloud(cluster));
}

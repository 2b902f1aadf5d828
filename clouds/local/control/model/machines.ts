import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Ref, Task, TaskId } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { authorityCa } from '@kopsctl/model/store/keysets.ts';
import { givesPlansThroughAuthorities } from '@kopsctl/model/store/worker-plans.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import { LOCAL_NETWORK } from './network.ts';

/**
 * The machines of an instance group, named `<group>-<n>`, from 1 on. Nothing scales them, so there are minSize
 * machines.
 *
 * @param needs what a machine reads at boot and must therefore be in the store before
 */
export function localMachines(
  facts: ClusterFacts,
  group: InstanceGroup,
  boot: { readonly userData: string; readonly containerImages?: Ref | undefined },
  needs: readonly TaskId[],
): readonly Task[] {
  const role = roleOf(group);
  const count = completedValue('spec.minSize', group.spec.minSize);
  return Array.from({ length: count }, (_, index): Task => {
    const name = `${group.metadata.name}-${index + 1}`;
    return {
      kind: 'local/Machine',
      name,
      props: {
        name,
        nodeName: name,
        instanceGroup: group.metadata.name,
        role,
        zone: zoneOf(facts.spec, group),
        userData: boot.userData,
        ...(role === 'Node' && givesPlansThroughAuthorities(facts.cluster) && { planThroughAuthority: true }),
        authorityCa: authorityCa(),
        ...(boot.containerImages && { containerImages: { ...boot.containerImages } }),
        tags: {
          ...group.spec.cloudLabels,
          KubernetesCluster: facts.clusterName,
          'kops.k8s.io/instancegroup': group.metadata.name,
          [`k8s.io/role/${role === 'ControlPlane' ? 'master' : 'node'}`]: '1',
        },
        network: { ref: `local/Network/${LOCAL_NETWORK}` },
        after: needs.map((ref) => ({ ref })),
      },
    };
  });
}

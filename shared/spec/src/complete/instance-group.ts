import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane, roleOf } from '../names.ts';
import type { InstanceGroupRule } from './rule.ts';

/** The default size of a group. */
const machinesOf = (group: InstanceGroup): number => (['Node', 'APIServer'].includes(roleOf(group)) ? 2 : 1);

export const instanceGroupRules: readonly InstanceGroupRule[] = [
  {
    // Its runtime class selects machines by this label (kops upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
    name: 'kops default of machines with gVisor',
    infer: (group, { spec }) => {
      const { enabled = spec.containerd?.gvisor?.enabled } = group.spec.containerd?.gvisor ?? {};
      return enabled === true && roleOf(group) === 'Node' ? { nodeLabels: { 'kops.k8s.io/gvisor': '1' } } : {};
    },
  },
  {
    name: 'default size of its role',
    // Karpenter makes as many machines as pods need, and with minSize a fixed number (kops
    // upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
    infer: (group, { spec }) =>
      group.spec.manager === 'Karpenter' && spec.karpenter?.enabled === true
        ? {}
        : {
            // A control plane is not scaled: each machine holds an etcd member.
            minSize: isControlPlane(group)
              ? (group.spec.maxSize ?? machinesOf(group))
              : Math.min(machinesOf(group), group.spec.maxSize ?? Infinity),
            maxSize: Math.max(machinesOf(group), group.spec.minSize ?? 0),
          },
  },
  {
    name: 'all subnets of the cluster',
    infer: (_group, { spec }) => ({
      subnets: spec.subnets?.filter(({ type }) => type !== 'Utility').flatMap(({ name }) => name ?? []),
    }),
  },
];

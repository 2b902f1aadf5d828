import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane, isIpv6Alone, roleOf } from '../names.ts';
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
    name: 'subnets for its role, where machines have IPv6 alone',
    infer: (group, { spec }) => (isIpv6Alone(spec) ? { subnets: subnetsWithIpv6(group, spec) } : {}),
  },
  {
    name: 'all subnets of the cluster',
    infer: (_group, { spec }) => ({ subnets: spec.subnets && namesOf(spec.subnets.filter(isForMachines)) }),
  },
];

type Subnet = NonNullable<ClusterSpec['subnets']>[number];

const isForMachines = ({ type }: Subnet): boolean => type !== 'Utility';
const namesOf = (subnets: readonly Subnet[]): readonly string[] => subnets.flatMap(({ name }) => name ?? []);

/**
 * The load balancer of the API reaches machines by IPv4; the others do without it (kops
 * upup/pkg/fi/cloudup/populate_instancegroup_spec.go). Undefined where no subnet is of the kind that the group needs.
 */
function subnetsWithIpv6(group: InstanceGroup, { subnets = [] }: ClusterSpec): readonly string[] | undefined {
  const servesApi = ['ControlPlane', 'APIServer'].includes(roleOf(group));
  const without = servesApi ? 'Private' : 'DualStack';
  const fitting = namesOf(subnets.filter((one) => isForMachines(one) && one.type !== without));
  return fitting.length === 0 ? undefined : fitting;
}

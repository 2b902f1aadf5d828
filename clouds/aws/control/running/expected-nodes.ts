import type { Ec2Instance } from '../../node/instances.ts';
import { nodeNameOf, type NodeNaming } from '../../node/node-name.ts';
import type { MachineGroup } from './machine-groups.ts';
import type { ExpectedNode, Machine } from '@kopsctl/model/cloud.ts';

const each = <T>(groups: readonly MachineGroup[], make: (group: MachineGroup, instance: Ec2Instance) => T) =>
  groups.flatMap((group) => group.instances.map((instance) => make(group, instance)));

export const machinesOf = (groups: readonly MachineGroup[], naming: NodeNaming): readonly Machine[] =>
  each(groups, ({ role, instanceGroup }, instance) => ({
    name: instance.instanceId,
    nodeName: role === 'Bastion' ? '' : nodeNameOf(instance, naming),
    role,
    instanceGroup,
    address: instance.address,
    state: instance.state,
  }));

/**
 * Every machine of a group has to become a Node, and so do machines that the group does not have yet. Bastions are not
 * Nodes.
 */
export function expectedOf(groups: readonly MachineGroup[], naming: NodeNaming): readonly ExpectedNode[] {
  const nodes = groups.filter(({ role }) => role !== 'Bastion');
  const there = each(nodes, ({ role, instanceGroup }, instance) => ({
    nodeName: nodeNameOf(instance, naming),
    instanceGroup,
    role,
    running: instance.state === 'running',
  }));
  const owed = nodes.flatMap(({ role, instanceGroup, desired, instances }) =>
    Array.from({ length: Math.max(0, desired - instances.length) }, (_, index) => ({
      nodeName: `${instanceGroup} (machine ${instances.length + index + 1} of ${desired})`,
      instanceGroup,
      role,
      running: false,
    })),
  );
  return [...there, ...owed];
}

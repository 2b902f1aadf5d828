import type { Ec2Instance } from '../../node/instances.ts';
import { nodeNameOf, type NodeNaming } from '../../node/node-name.ts';
import type { MachineGroup } from './machine-groups.ts';
import type { Machine, RunningMachines } from '@kopsctl/model/cloud.ts';

const each = <T>(groups: readonly MachineGroup[], make: (group: MachineGroup, instance: Ec2Instance) => T) =>
  groups.flatMap((group) => group.instances.map((instance) => make(group, instance)));

export const machinesOf = (groups: readonly MachineGroup[], naming: NodeNaming): readonly Machine[] =>
  each(groups, ({ role, instanceGroup }, instance) => ({
    name: instance.instanceId,
    nodeName: role === 'Bastion' ? '' : nodeNameOf(instance, naming),
    role,
    instanceGroup,
    // In a subnet without IPv4 it has no other.
    address: instance.address === '' ? instance.ipv6Address : instance.address,
    ...(instance.externalAddresses[0] !== undefined && { externalAddress: instance.externalAddresses[0] }),
    ...(instance.machineType !== undefined && { machineType: instance.machineType }),
    state: instance.state,
  }));

/** The machines of every group, and how many of them AWS keeps. */
export const runningMachinesOf = (groups: readonly MachineGroup[], naming: NodeNaming): RunningMachines => ({
  machines: each(groups, ({ role, instanceGroup }, instance) => ({
    nodeName: role === 'Bastion' ? instance.instanceId : nodeNameOf(instance, naming),
    instanceGroup,
    role,
    running: instance.state === 'running',
    addresses: [instance.address, ...instance.externalAddresses].filter((address) => address !== ''),
  })),
  desired: Object.fromEntries(groups.map(({ instanceGroup, desired }) => [instanceGroup, desired])),
});

import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { validationFailures } from '../validate/plan-validation.ts';
import type { ClusterFault } from './seen.ts';

/**
 * What `validate cluster` finds, with the group and the Node that each finding is about. Machines of the warm pool are
 * switched off, and those that their group lacks are counted elsewhere. Pure.
 */
export function clusterFaults(
  groups: readonly FleetGroup[],
  nodes: readonly NodeStatus[],
  systemPods: readonly PodStatus[],
): readonly ClusterFault[] {
  const machines = groups
    .flatMap((group) => group.machines)
    .filter(({ nodeName, standing }) => nodeName !== '' && standing !== 'warm');
  const byNode = new Map(machines.map((machine) => [machine.nodeName, machine]));
  const expected = machines.map(({ nodeName, instanceGroup, role, running, machineId }) => ({
    nodeName,
    instanceGroup,
    role,
    running,
    ...(machineId !== undefined && { machineId }),
  }));
  const nodeOfPod = new Map(systemPods.map(({ namespace, name, node }) => [`${namespace}/${name}`, node]));
  return validationFailures({ groups: [], running: { machines: expected }, nodes, systemPods }).map(
    ({ kind, name, message }): ClusterFault => {
      const text = `${kind} ${name}: ${message}`;
      const node = kind === 'Pod' ? nodeOfPod.get(name) : name;
      const machine = node === undefined ? undefined : byNode.get(node);
      if (machine === undefined) return { message: text };
      return {
        message: text,
        node: machine.nodeName,
        // Everything stands on control planes: while one of them is not well, no other group goes, as with kops.
        ...(machine.role !== 'ControlPlane' && { instanceGroup: machine.instanceGroup }),
        ...(machine.isCurrent && { isJoining: true }),
      };
    },
  );
}

import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';

/** An instance group as Google runs it, in all its zones. */
export interface MachineGroup {
  readonly instanceGroup: string;
  readonly role: NodeRole;
  /** How many machines are wanted. */
  readonly desired: number;
}

/**
 * Every machine of a group has to become a Node, and so do machines that the group does not have yet. Bastions are not
 * Nodes.
 */
export function expectedOf(
  groups: readonly MachineGroup[],
  machines: readonly CloudMachine[],
): readonly ExpectedNode[] {
  return groups
    .filter(({ role }) => role !== 'Bastion')
    .flatMap(({ instanceGroup, role, desired }) => {
      const own = machines.filter((machine) => machine.instanceGroup === instanceGroup);
      const there = own.map(({ nodeName, running }) => ({ nodeName, instanceGroup, role, running }));
      const owed = Array.from({ length: Math.max(0, desired - own.length) }, (_, index) => ({
        nodeName: `${instanceGroup} (machine ${own.length + index + 1} of ${desired})`,
        instanceGroup,
        role,
        running: false,
      }));
      return [...there, ...owed];
    });
}

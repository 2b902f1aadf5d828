import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { WantedMember } from './wanted-etcds.ts';

export interface MemberMachine {
  readonly instanceGroup: string;
  readonly role: NodeRole;
  readonly running: boolean;
}

export interface SilentMember<Machine> {
  readonly name: string;
  /** Undefined where its group has no machine for it, or it cannot be said which. */
  readonly machine: Machine | undefined;
}

/**
 * Finds the machines of members whose managers have written no status: in each group, the machines without a status. Each
 * has one member, but only a status tells which one, so members and machines of a group are paired arbitrarily. If a group
 * has more such machines than members, nothing tells which machines have a member. Pure.
 *
 * @param free control planes without a status
 */
export function silentMembers<Machine extends MemberMachine>(
  silent: readonly WantedMember[],
  free: readonly Machine[],
): readonly SilentMember<Machine>[] {
  return [...Map.groupBy(silent, ({ instanceGroup }) => instanceGroup)].flatMap(([group, members]) => {
    const machines = free.filter(
      ({ instanceGroup, role, running }) => instanceGroup === group && role === 'ControlPlane' && running,
    );
    const isClear = machines.length <= members.length;
    return members.map(({ name }, index) => ({ name, machine: isClear ? machines[index] : undefined }));
  });
}

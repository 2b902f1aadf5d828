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
 * Finds the machines of members whose managers have written no status: of each group, those that no status is of. Each
 * has one member. Which one, only a status tells; so within a group, members and machines are paired arbitrarily. Where a
 * group has more such machines than members, nothing says which have one. Pure.
 *
 * @param free control planes that no status is of
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

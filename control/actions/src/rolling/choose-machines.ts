import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { minorNumber } from '@kopsctl/spec/minor-version.ts';
import type { OutdatedMachine } from '../outdated/plan-outdated.ts';
import type { Roll } from './roll.ts';
import { isUnfinished } from './start-roll.ts';

/** Which machines a person wants to be replaced; without a restriction all that are outdated. */
export interface MachineChoice {
  readonly instanceGroups?: readonly string[] | undefined;
  readonly roles?: readonly NodeRole[] | undefined;
  /** Their ids. */
  readonly machines?: readonly string[] | undefined;
}

/** Those that the person named by group, role or id; all where nothing is named. Pure. */
export const chooseMachines = (
  outdated: readonly OutdatedMachine[],
  { instanceGroups, roles, machines }: MachineChoice,
): readonly OutdatedMachine[] =>
  outdated.filter(
    ({ machine }) =>
      (instanceGroups === undefined || instanceGroups.includes(machine.instanceGroup)) &&
      (roles === undefined || roles.includes(machine.role)) &&
      (machines === undefined || machines.includes(machine.id)),
  );

/** @throws ActionableError where a person names an instance group that does not exist: as a rule the name is mistyped */
export function refuseUnknownGroups(
  cluster: string,
  { instanceGroups = [] }: MachineChoice,
  known: readonly string[],
): void {
  const unknown = instanceGroups.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ActionableError({
    what: `choose the machines of ${cluster}`,
    why: `it has no instance group ${unknown.join(', ')}, only ${[...new Set(known)].toSorted().join(', ')}`,
    next: 'see `kopsctl get instancegroups`',
    isUsage: true,
  });
}

/**
 * Where kopsctl makes the new machines, everything that they need must have been applied. Machines that a rolling update
 * that was left is still to make are not a reason to refuse.
 */
export function refuseUnapplied(
  cluster: string,
  planned: RunResult | undefined,
  groups: readonly FleetGroup[],
  former: Roll | undefined,
): void {
  if (planned === undefined) return;
  const machines = new Set([
    ...groups.flatMap((group) => group.machines.map(({ name }) => name)),
    ...(isUnfinished(former) ? former.turns : []).flatMap(({ name, step }) => (step === 'done' ? [] : [name])),
  ]);
  const pending = planned.tasks.filter(
    ({ id, steps, result }) =>
      (steps.length > 0 || result === 'failed') && !machines.has(id.slice(id.lastIndexOf('/') + 1)),
  );
  const [first] = pending;
  if (first === undefined) return;
  throw new ActionableError({
    what: `roll ${cluster}`,
    why: `${pending.length} changes to its spec are not applied yet, such as the one to ${first.id}`,
    next: `apply them first: \`kopsctl update cluster ${cluster} --yes\``,
  });
}

/** @throws ActionableError where kubelets would become newer than API servers that stay as they are */
export function refuseSkew(
  cluster: string,
  outdated: readonly OutdatedMachine[],
  chosen: readonly OutdatedMachine[],
): void {
  const stays = outdated.find(
    (one) =>
      one.machine.role === 'ControlPlane' &&
      one.kubernetes !== undefined &&
      isNewer(one.kubernetes) &&
      !chosen.includes(one),
  );
  const goes = chosen.find(({ machine, kubernetes }) => machine.role !== 'ControlPlane' && kubernetes !== undefined);
  if (stays?.kubernetes === undefined || goes === undefined) return;
  throw new ActionableError({
    what: `roll ${goes.machine.name} of ${cluster}`,
    why: `its kubelet would run Kubernetes ${stays.kubernetes.to}, and ${stays.machine.name} still runs an API server of ${stays.kubernetes.from}: a kubelet must not be newer`,
    next: 'roll the control planes first, or everything at once, which is done in that order',
  });
}

const isNewer = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  minorNumber(to) > minorNumber(from);

import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import { NEEDS_UPDATE } from '../access/kubernetes-objects.ts';
import { type InPlace, inPlace } from '@kopsctl/node-plan/in-place.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import type { Turn } from '../rolling/roll.ts';
import { planDifference, type TaskDifference } from './plan-difference.ts';

/** Why a machine is to be replaced. */
export type Reason =
  /** Its group's machines are made from something else now. */
  | 'older'
  /** Its Node has kops's annotation that says so. */
  | 'marked'
  /** A person wants all of them replaced. */
  | 'forced'
  /** Its Node is not Ready, and does not become so. */
  | 'unready';

export interface OutdatedMachine {
  readonly machine: FleetMachine;
  readonly reason: Reason;
  /** Hex SHA-256 of the plan that it says it runs; absent where it has not said. */
  readonly runs?: string;
  /** Hex SHA-256 of the plan that its group has now. */
  readonly wanted?: string;
  /** What differs. Absent where one of the plans is not known; empty where something outside of the plan differs. */
  readonly differences?: readonly TaskDifference[];
  /** Whether it could become what its group's plan says without being replaced; only where both plans are known. */
  readonly convergence?: InPlace;
  /** The plans that it goes from and to, where it is not replaced; `drains`: pods leave it before. */
  readonly inPlace?: Turn['inPlace'];
  readonly kubernetes?: { readonly from: string; readonly to: string };
  /** The version of Kubernetes in the plan that it says it runs. */
  readonly runsKubernetes?: string;
}

export interface KnownPlan {
  readonly hash: string;
  readonly plan: NodePlan;
}

export interface OutdatedInput {
  readonly groups: readonly FleetGroup[];
  /** The plan that a machine says it runs, by the machine's id. */
  readonly running: ReadonlyMap<string, { readonly hash: string; readonly plan?: NodePlan }>;
  /** The plan of each group's next machine. */
  readonly wanted: ReadonlyMap<string, KnownPlan>;
  /** The names of Nodes that are marked. */
  readonly marked: ReadonlySet<string>;
  /** All machines are to be replaced, or those with these ids. */
  readonly force: boolean | ReadonlySet<string>;
}

/**
 * The machines of groups as they are once a plan is applied. Pure.
 *
 * @param changed the groups whose next machines are made from something else then
 */
export const afterPlan = (
  groups: readonly FleetGroup[],
  changed: ReadonlySet<string> = new Set(),
): readonly FleetGroup[] =>
  groups.map((group) =>
    changed.has(group.name)
      ? { ...group, machines: group.machines.map((machine) => ({ ...machine, isCurrent: false })) }
      : group,
  );

/** The machines that a rolling update would replace, and why. Only the cloud decides which are outdated. Pure. */
export function planOutdated({ groups, running, wanted, marked, force }: OutdatedInput): readonly OutdatedMachine[] {
  return groups.flatMap(({ name, machines }) =>
    machines.flatMap((machine): readonly OutdatedMachine[] => {
      const reason = reasonOf(machine, { marked, force });
      if (reason === undefined) return [];
      const [runs, group] = [running.get(machine.id), wanted.get(name)];
      return [{ machine, reason, ...compared(runs, group) }];
    }),
  );
}

function reasonOf(
  { id, isCurrent, nodeName }: FleetMachine,
  { marked, force }: Pick<OutdatedInput, 'marked' | 'force'>,
) {
  if (!isCurrent) return 'older';
  if (nodeName !== '' && marked.has(nodeName)) return 'marked';
  return force === true || (force !== false && force.has(id)) ? 'forced' : undefined;
}

function compared(
  runs: { readonly hash: string; readonly plan?: NodePlan } | undefined,
  wanted: KnownPlan | undefined,
): Omit<OutdatedMachine, 'machine' | 'reason'> {
  const runsKubernetes = runs?.plan?.kubernetesVersion;
  const known = {
    ...(runs && { runs: runs.hash }),
    ...(wanted && { wanted: wanted.hash }),
    ...(runsKubernetes !== undefined && { runsKubernetes }),
  };
  if (runs?.plan === undefined || wanted === undefined) return known;
  const [from, to] = [runs.plan.kubernetesVersion, wanted.plan.kubernetesVersion];
  return {
    ...known,
    differences: planDifference(runs.plan, wanted.plan),
    convergence: inPlace(runs.plan, wanted.plan),
    ...(from !== to && { kubernetes: { from, to } }),
  };
}

/** What is said about a machine whose Node has kops's annotation. */
export const MARKED = `marked by ${NEEDS_UPDATE}`;

/** What is said about a machine that is replaced although nothing is different about it. */
export const FORCED = 'forced';

/** In a few words, what is different about an outdated machine. */
export function describeOutdated({ reason, differences, kubernetes }: OutdatedMachine): string {
  if (reason === 'marked') return MARKED;
  if (reason === 'forced') return FORCED;
  if (reason === 'unready') return 'not Ready';
  if (kubernetes !== undefined) return `Kubernetes ${kubernetes.from}, not ${kubernetes.to}`;
  if (differences === undefined) return 'made from an older configuration';
  if (differences.length === 0)
    return 'its plan is the same; its image, hardware, agents or boot configuration are not';
  const [first, second, ...more] = differences.map(({ task, change }) =>
    change === 'changed' ? task : `${task} ${change}`,
  );
  return [first, second, more.length > 0 ? `${more.length} more` : undefined]
    .filter((one) => one !== undefined)
    .join(', ');
}

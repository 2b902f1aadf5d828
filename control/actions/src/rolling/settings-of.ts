import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { RollSettings } from './roll-settings.ts';
import { countOf, type RollingRules, rollingRules } from './rolling-rules.ts';

/** What a person may say about how a cluster is rolled. */
export interface RollWishes extends Omit<RollSettings, 'rules' | 'budget' | 'makes'> {
  /** A number of machines or a share of them, such as `25%`, rounded down and at least one. */
  readonly budget: string;
  /** It is about one machine, whatever the spec says of its group. `surges`: another one is there before it goes. */
  readonly ofOne?: { readonly surges: boolean } | undefined;
}

/** The wishes of a person, the rules of the spec, and what the cloud can do, together. */
export function settingsOf(
  { budget, ofOne, ...wishes }: RollWishes,
  { cluster, instanceGroups }: Completed,
  groups: readonly FleetGroup[],
  fleet: Pick<Fleet, 'detach' | 'make'>,
): RollSettings {
  const canSurge = fleet.detach !== undefined;
  const rules = groups.map(({ name, role, machines }) => {
    const instanceGroup = instanceGroups.find(({ metadata }) => metadata.name === name);
    const size = machines.filter(({ standing }) => standing !== 'warm').length;
    if (ofOne !== undefined) return [name, rulesOfOne(role, canSurge && ofOne.surges)] as const;
    return [name, rollingRules({ role, instanceGroup, cluster, size, canSurge })] as const;
  });
  const size = groups.reduce(
    (sum, { machines }) => sum + machines.filter(({ standing }) => standing === 'counted').length,
    0,
  );
  return {
    ...wishes,
    rules: new Map(rules),
    budget: Math.max(1, countOf(budget, size, Math.floor)),
    makes: fleet.make !== undefined,
  };
}

/** Control planes never get one more: each has volumes of its own. */
const rulesOfOne = (role: NodeRole, surges: boolean): RollingRules => ({
  maxUnavailable: 1,
  maxSurge: surges && role !== 'ControlPlane' ? 1 : 0,
  drainAndTerminate: true,
});

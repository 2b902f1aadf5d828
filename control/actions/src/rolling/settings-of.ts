import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { RollSettings } from './roll-settings.ts';
import { countOf, rollingRules } from './rolling-rules.ts';

/** What a person may say about how a cluster is rolled. */
export interface RollWishes extends Omit<RollSettings, 'rules' | 'budget' | 'makes'> {
  /** A number of machines or a share of them, such as `25%`, rounded down and at least one. */
  readonly budget: string;
}

/** The wishes of a person, the rules of the spec, and what the cloud can do, together. */
export function settingsOf(
  { budget, ...wishes }: RollWishes,
  { cluster, instanceGroups }: Completed,
  groups: readonly FleetGroup[],
  fleet: Pick<Fleet, 'detach' | 'make'>,
): RollSettings {
  const canSurge = fleet.detach !== undefined;
  const rules = groups.map(({ name, role, machines }) => {
    const instanceGroup = instanceGroups.find(({ metadata }) => metadata.name === name);
    const size = machines.filter(({ standing }) => standing !== 'warm').length;
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

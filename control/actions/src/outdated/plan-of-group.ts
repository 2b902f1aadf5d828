import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { KnownPlan } from './plan-outdated.ts';

/** The plan of the machines of a group. @param what a person wants of it @throws ActionableError that names the groups */
export function planOfGroup(plans: ReadonlyMap<string, KnownPlan>, group: string, what: string): KnownPlan {
  const known = plans.get(group);
  if (known !== undefined) return known;
  throw new ActionableError({
    what: `${what} of ${group}`,
    why: 'the cluster has no node plan of an instance group of that name',
    next: `name one of ${[...plans.keys()].join(', ')}`,
  });
}

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { wantedPlans } from './outdated/find-outdated.ts';
import type { KnownPlan } from './outdated/plan-outdated.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareStored } from './phases/prepare-stored.ts';

/**
 * What the machines of each instance group are told to be by the spec in the state store. The cloud is not asked, and nothing
 * is changed.
 *
 * @param names of instance groups; none means all
 */
export async function getNodePlans(context: ActionContext, names: readonly string[]): Promise<readonly KnownPlan[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const plans = wantedPlans((await prepareStored(context, store, cluster)).tasks);
  return (names.length > 0 ? names : [...plans.keys()]).map((name) => {
    const known = plans.get(name);
    if (known !== undefined) return known;
    throw new ActionableError({
      what: `show the node plan of ${name}`,
      why: `${cluster} has no node plan of an instance group of that name`,
      next: `name one of ${[...plans.keys()].join(', ')}`,
    });
  });
}

import { wantedPlans } from './outdated/find-outdated.ts';
import { planOfGroup } from './outdated/plan-of-group.ts';
import type { KnownPlan } from './outdated/plan-outdated.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareQuietly } from './phases/prepare-quietly.ts';
import { storedCluster } from './phases/wanted-cluster.ts';

/**
 * What the machines of each instance group are told to be by the spec in the state store. The cloud is not asked, and nothing
 * is changed.
 *
 * @param names of instance groups; none means all
 */
export async function getNodePlans(context: ActionContext, names: readonly string[]): Promise<readonly KnownPlan[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const { tasks } = await prepareQuietly(context, store, await storedCluster(store, cluster));
  const plans = wantedPlans(tasks);
  return (names.length > 0 ? names : [...plans.keys()]).map((name) => planOfGroup(plans, name, 'show the node plan'));
}

import { applyCluster } from '../../apply-cluster.ts';
import type { ActionContext } from '../../phases/action.ts';
import { isMade } from '../../phases/make-cluster.ts';
import { rollCluster, type RollManner } from '../../roll-cluster.ts';

/**
 * Applies a cluster, so that plans name its new key pairs, and replaces its machines until none is outdated. Resolves with
 * false where that cannot be done now: the rotation stops at its checkpoint.
 */
export async function applyAndRoll(context: ActionContext, cluster: string, manner: RollManner): Promise<boolean> {
  const { result } = await applyCluster(context, { cluster, scope: { prune: false }, assets: manner.assets });
  if (!isMade(result)) return false;
  const { roll } = await rollCluster(context, { ...manner, cluster, yes: true });
  return roll === undefined || roll.state === 'done';
}

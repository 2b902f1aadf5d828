import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AppliedCluster } from '../apply-cluster.ts';
import { type KubeconfigWish, writeKubeconfigOf } from '../access/kubeconfig-wish.ts';
import { type ActionContext, note } from './action.ts';
import { isMade } from './make-cluster.ts';
import { openStateStore } from './open-store.ts';

/**
 * Writes a cluster that was applied into the person's kubeconfig. Resolves with the file; with nothing where the cluster
 * was not made, or has no address yet, which the person is told: what was asked for is done.
 */
export async function writeAccess(
  context: ActionContext,
  { cluster, result }: Pick<AppliedCluster, 'cluster' | 'result'>,
  wish: KubeconfigWish,
): Promise<string | undefined> {
  if (!isMade(result)) return undefined;
  try {
    return await writeKubeconfigOf(context, await openStateStore(context), cluster, wish);
  } catch (error) {
    context.signal.throwIfAborted();
    note(
      context,
      `Note: the kubeconfig was not written: ${messageOf(error)}. Write it later with \`kopsctl export kubeconfig ${cluster}\``,
    );
    return undefined;
  }
}

import { breakLock } from '@kopsctl/state-store/lock.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { lockPath } from './store/with-cluster-lock.ts';

/** Breaks a cluster's lock, which ends the work of a holder that still runs. Resolves with the lock that was held, if one was. */
export async function unlockCluster(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<{ readonly cluster: string; readonly broken: LockRecord | undefined }> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const broken = await inPhase(context, 'break the lock', () => breakLock(store, lockPath(cluster), Date.now()));
  return { cluster, broken };
}

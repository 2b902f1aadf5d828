import { throwIfLockLost } from '@kopsctl/state-store/lock.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { noteAppliedRelease } from '../store/applied-release.ts';
import { refuseUnadopted } from '../store/origin.ts';
import { withClusterLock } from '../store/with-cluster-lock.ts';
import { type ActionContext, inPhase } from './action.ts';
import type { Convergence } from './converge.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/**
 * Applies a prepared cluster under its lock, so that nobody else changes it meanwhile. `before` runs first, under the same
 * lock; if it throws, nothing is applied.
 *
 * @throws ActionableError where kops made the cluster, and nobody has taken it over, or where the lock is lost
 */
export async function makeCluster(
  context: ActionContext,
  { store, name }: PreparedCluster,
  convergence: Convergence,
  before: (signal: AbortSignal) => Promise<void>,
): Promise<RunResult> {
  await refuseUnadopted(store, name);
  return withClusterLock(store, name, 'apply', context, async (signal) => {
    await before(signal);
    const result = await inPhase(context, 'make the changes', () => convergence.apply(signal));
    if (result.cancelled) throwIfLockLost(signal);
    if (isMade(result)) await noteAppliedRelease(store, name, signal);
    return result;
  });
}

/** Everything was done, and nothing failed. */
export const isMade = ({ failed, cancelled }: RunResult): boolean => failed === 0 && !cancelled;

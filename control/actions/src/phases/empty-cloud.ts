import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { openCloudLayer } from '../cloud/cloud-layer.ts';
import { hostSettings } from '../cloud/host-settings.ts';
import type { ActionContext } from './action.ts';

export interface EmptyCloudRequest {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  readonly storeUrl: string;
  /** `plan` finds what there is to delete, and deletes nothing. */
  readonly mode: 'plan' | 'apply';
  readonly signal: AbortSignal;
}

/**
 * Deletes everything that a cluster has in its cloud, including what the cluster itself made there. Nothing of it has to be
 * remembered anywhere, so that it can be repeated after any failure.
 */
export async function emptyCloud(
  context: ActionContext,
  { cluster, storeUrl, mode, signal }: EmptyCloudRequest,
): Promise<RunResult> {
  const settings = hostSettings(context.env, undefined);
  const cloud = await openCloudLayer({ cluster, storeUrl, settings, say: () => {}, everything: true });
  const result = await run({
    tasks: [],
    handlers: cloud.handlers,
    env: cloud.env,
    mode,
    prune: true,
    signal,
    clock: systemClock,
    random: Math.random,
    onEvent: (event) => context.onEvent({ type: 'task', mode, event }),
  });
  if (mode === 'apply' && result.failed === 0 && !result.cancelled) await cloud.afterDelete?.();
  return result;
}

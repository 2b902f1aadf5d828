import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { openCloudLayer } from './cloud-layer.ts';
import type { LocalSettings } from './local-settings.ts';

export interface EmptyCloudRequest {
  readonly cluster: Cluster;
  readonly settings: LocalSettings;
  /** `plan` finds what there is to delete, and deletes nothing. */
  readonly mode: 'plan' | 'apply';
  readonly onEvent: (event: TaskEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Deletes everything in the cloud that carries the cluster's tag, also what the cluster itself made. Nothing of it
 * has to be remembered anywhere, so that it can be repeated after any failure.
 */
export async function emptyCloud({ cluster, settings, mode, onEvent, signal }: EmptyCloudRequest): Promise<RunResult> {
  const cloud = await openCloudLayer({ cluster, settings, say: () => {}, everything: true });
  return run({
    tasks: [],
    handlers: cloud.handlers,
    env: cloud.env,
    mode,
    prune: true,
    signal,
    clock: systemClock,
    random: Math.random,
    onEvent,
  });
}

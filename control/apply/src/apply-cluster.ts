import type { Completed } from '@kopsctl/spec/complete.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { openCloudLayer } from './cloud-layer.ts';
import { keysetHandler } from './handlers/keyset.ts';
import { managedFileHandler } from './handlers/managed-file.ts';
import { secretHandler } from './handlers/secret.ts';
import { type StoreEnv, storeEnv } from './handlers/store-env.ts';
import type { LocalSettings } from './local-settings.ts';
import { isDue, type Lifecycles, lifecyclesOf, type Phase, withLifecycles } from './lifecycle.ts';
import { modelOf } from './model-of.ts';
import { withClusterLock } from './with-cluster-lock.ts';

export interface ApplyRequest {
  readonly store: StateStore;
  readonly completed: Completed;
  readonly settings: LocalSettings;
  readonly mode: 'plan' | 'apply';
  readonly prune: boolean;
  /** Only what this phase makes is made; what earlier ones made must be there. */
  readonly phase?: Phase;
  /** Kinds of which less than everything is done. */
  readonly lifecycles?: Lifecycles;
  /** How long one task is tried. */
  readonly maxTaskDurationMs?: number;
  readonly onEvent: (event: TaskEvent) => void;
  /** Told in a sentence what takes long. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Told, in a plan, what was planned and of which tasks. */
  readonly onPlanned?: (planned: RunResult, tasks: readonly Task[]) => void;
  /** Asked, under the lock, before anything of an apply is done; what it throws ends the apply. */
  readonly confirm?: (planned: RunResult, tasks: readonly Task[]) => Promise<void>;
}

/** Maps the completed spec to tasks and plans or applies them. An apply holds the cluster's lock. */
export async function applyCluster(request: ApplyRequest): Promise<RunResult> {
  const { store, completed, settings, mode } = request;
  const cluster = completed.cluster.metadata.name;
  const all = await modelOf({ store, completed, assetsDir: settings.assetsDir });
  const tasks = all.filter(({ kind }) => isDue(kind, request.phase));
  const cloud = await openCloudLayer({ cluster: completed.cluster, settings, say: request.say });
  const env: StoreEnv = { ...cloud.env, ...storeEnv(store, cluster) };
  const handlers = withLifecycles<StoreEnv>(
    [managedFileHandler, keysetHandler, secretHandler, ...cloud.handlers],
    lifecyclesOf(request.phase, request.lifecycles ?? new Map()),
  );
  const { maxTaskDurationMs } = request;
  const walk = (signal: AbortSignal, mode: ApplyRequest['mode']) =>
    run<StoreEnv>({
      tasks,
      handlers,
      ...(maxTaskDurationMs === undefined || mode === 'plan'
        ? {}
        : { limits: { perTaskDeadlineMs: maxTaskDurationMs } }),
      env,
      mode,
      prune: request.prune,
      signal,
      clock: systemClock,
      random: Math.random,
      onEvent: request.onEvent,
    });
  if (mode === 'plan') {
    const planned = await walk(request.signal, 'plan');
    request.onPlanned?.(planned, tasks);
    return planned;
  }

  return withClusterLock(store, cluster, 'apply', request.signal, async (signal) => {
    if (request.confirm !== undefined) await request.confirm(await walk(signal, 'plan'), tasks);
    return walk(signal, 'apply');
  });
}

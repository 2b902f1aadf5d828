import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { localHandlers } from '@kopsctl/clouds/local/handlers/handlers.ts';
import type { LocalEnv } from '@kopsctl/clouds/local/handlers/local-env.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { withLock } from '@kopsctl/state-store/with-lock.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { keysetHandler } from './handlers/keyset.ts';
import { managedFileHandler } from './handlers/managed-file.ts';
import { secretHandler } from './handlers/secret.ts';
import type { StoreEnv } from './handlers/store-env.ts';
import { openLocal } from './local-cluster.ts';
import type { LocalSettings } from './local-settings.ts';
import { modelOf } from './model-of.ts';

export interface ApplyRequest {
  readonly store: StateStore;
  readonly completed: Completed;
  readonly settings: LocalSettings;
  readonly mode: 'plan' | 'apply';
  readonly prune: boolean;
  readonly onEvent: (event: TaskEvent) => void;
  /** Told in a sentence what takes long. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Told, in a plan, what was planned and of which tasks. */
  readonly onPlanned?: (planned: RunResult, tasks: readonly Task[]) => void;
  /** Asked, under the lock, before anything of an apply is done; what it throws ends the apply. */
  readonly confirm?: (planned: RunResult, tasks: readonly Task[]) => Promise<void>;
}

/** It is renewed while the work goes on; an operator whose machine died stops the next one for no longer. */
const LOCK_TTL_MS = 2 * 60 * 1000;

/** Maps the completed spec to tasks and plans or applies them. An apply holds the cluster's lock. */
export async function applyCluster(request: ApplyRequest): Promise<RunResult> {
  const { store, completed, settings, mode } = request;
  const cluster = completed.cluster.metadata.name;
  const tasks = await modelOf({ store, completed, assetsDir: settings.assetsDir });
  const env: StoreEnv & LocalEnv = {
    store,
    cluster,
    nowMs: () => Date.now(),
    randomBytes: (count: number) => randomBytes(count),
    local: openLocal(cluster, settings, request.say),
  };
  const walk = (signal: AbortSignal, mode: ApplyRequest['mode']) =>
    run<StoreEnv & LocalEnv>({
      tasks,
      handlers: [managedFileHandler, keysetHandler, secretHandler, ...localHandlers],
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

  const owner = `${userInfo().username}@${hostname()} (process ${process.pid})`;
  const lock = { owner, purpose: 'apply', now: () => Date.now(), ttlMs: LOCK_TTL_MS, signal: request.signal };
  return withLock(store, `${cluster}/lock`, lock, async (signal) => {
    if (request.confirm !== undefined) await request.confirm(await walk(signal, 'plan'), tasks);
    return walk(signal, 'apply');
  });
}

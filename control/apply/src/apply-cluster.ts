import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { localHandlers } from '@kopsctl/clouds/local/handlers/handlers.ts';
import type { LocalEnv } from '@kopsctl/clouds/local/handlers/local-env.ts';
import { buildModel } from '@kopsctl/model/model.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { acquireLock } from '@kopsctl/state-store/lock.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { readAssetIndex } from './asset-index-file.ts';
import { keysetHandler } from './handlers/keyset.ts';
import { managedFileHandler } from './handlers/managed-file.ts';
import { secretHandler } from './handlers/secret.ts';
import type { StoreEnv } from './handlers/store-env.ts';
import { openLocal } from './local-cluster.ts';
import type { LocalSettings } from './local-settings.ts';

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
}

/** Long enough for an apply of any size to renew it in time, short enough not to stop the next operator for long. */
const LOCK_TTL_MS = 15 * 60 * 1000;

/** Maps the completed spec to tasks and plans or applies them. An apply holds the cluster's lock. */
export async function applyCluster(request: ApplyRequest): Promise<RunResult> {
  const { store, completed, settings, mode } = request;
  const cluster = completed.cluster.metadata.name;
  const assets = await readAssetIndex(settings.assetsDir);
  const tasks = buildModel({ ...completed, assets, storeUrl: store.url, assetsDir: settings.assetsDir });
  const env: StoreEnv & LocalEnv = {
    store,
    cluster,
    nowMs: () => Date.now(),
    randomBytes: (count: number) => randomBytes(count),
    local: openLocal(cluster, settings, request.say),
  };
  const walk = () =>
    run<StoreEnv & LocalEnv>({
      tasks,
      handlers: [managedFileHandler, keysetHandler, secretHandler, ...localHandlers],
      env,
      mode,
      prune: request.prune,
      signal: request.signal,
      clock: systemClock,
      random: Math.random,
      onEvent: request.onEvent,
    });
  if (mode === 'plan') return walk();

  const owner = `${userInfo().username}@${hostname()} (process ${process.pid})`;
  const lock = await acquireLock(store, `${cluster}/lock`, {
    owner,
    purpose: 'apply',
    now: () => Date.now(),
    ttlMs: LOCK_TTL_MS,
    signal: request.signal,
  });
  try {
    return await walk();
  } finally {
    await lock.release();
  }
}

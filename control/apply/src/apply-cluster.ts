import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostname, userInfo } from 'node:os';
import { localHandlers, openLocalCloud } from '@kopsctl/clouds/local/handlers.ts';
import { buildModel } from '@kopsctl/model/model.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { acquireLock } from '@kopsctl/state-store/lock.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import { run, type RunResult } from '@kopsctl/tasks/run.ts';
import { readAssetIndex } from './asset-index-file.ts';
import { keysetHandler } from './handlers/keyset.ts';
import { managedFileHandler } from './handlers/managed-file.ts';
import { secretHandler } from './handlers/secret.ts';
import type { LocalSettings } from './local-settings.ts';

export interface ApplyRequest {
  readonly store: StateStore;
  readonly completed: Completed;
  readonly settings: LocalSettings;
  readonly mode: 'plan' | 'apply';
  readonly prune: boolean;
  readonly onEvent: (event: TaskEvent) => void;
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
  const env = {
    store,
    cluster,
    nowMs: () => Date.now(),
    randomBytes: (count: number) => randomBytes(count),
    local: openLocalCloud({ dir: settings.dir, cluster, supervisorCommand: settings.supervisorCommand }),
  };
  const walk = () =>
    run({
      tasks,
      handlers: [managedFileHandler, keysetHandler, secretHandler, ...localHandlers],
      env,
      mode,
      prune: request.prune,
      signal: request.signal,
      clock: {
        nowMs: () => Date.now(),
        sleep: async (ms: number, signal: AbortSignal) => void (await sleep(ms, undefined, { signal })),
      },
      random: Math.random,
      onEvent: request.onEvent,
    });
  if (mode === 'plan') return walk();

  const owner = `${userInfo().username}@${hostname()} (process ${process.pid})`;
  const lock = await acquireLock(store, `${cluster}/lock`, { owner, nowMs: () => Date.now(), ttlMs: LOCK_TTL_MS });
  try {
    return await walk();
  } finally {
    await lock.release();
  }
}

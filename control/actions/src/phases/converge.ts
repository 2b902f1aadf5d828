import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { run } from '@kopsctl/tasks/run.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';
import type { Phase } from '@kopsctl/model/lifecycle.ts';
import { driverOf, openCloudLayer } from '../cloud/cloud-layer.ts';
import { keysetHandler } from '../handlers/keyset.ts';
import { managedFileHandler } from '../handlers/managed-file.ts';
import { secretHandler } from '../handlers/secret.ts';
import { stateKeyHandler } from '../handlers/state-key.ts';
import { type StoreEnv, storeEnv } from '../handlers/store-env.ts';
import {
  isDue,
  kindsOf,
  type Lifecycles,
  lifecyclesOf,
  neverRemoving,
  parseLifecycles,
  withLifecycles,
} from '../cloud/lifecycle.ts';
import { type ActionContext, note } from './action.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/** How much of a cluster is made. */
export interface Scope {
  readonly prune: boolean;
  /** Only what this phase makes is made; what earlier ones made must be there. */
  readonly phase?: Phase;
  /** Kinds of which less than everything is done, as `--lifecycle-overrides` names them. */
  readonly lifecycleOverrides?: readonly string[];
  /** How long one task is tried. */
  readonly maxTaskDurationMs?: number;
}

/** The lifecycles that a person wants for kinds of a cluster's tasks. @throws ActionableError for a word that means none */
export const lifecyclesInScope = (
  cluster: Pick<Cluster, 'metadata' | 'spec'>,
  { lifecycleOverrides = [] }: Pick<Scope, 'lifecycleOverrides'>,
): Lifecycles => parseLifecycles(lifecycleOverrides, kindsOf(driverOf(cluster)));

/** A cluster's tasks, and the two things that can be done with them. Opening it asks nothing of a cloud. */
export interface Convergence {
  readonly tasks: readonly Task[];
  /** Those that were planned or applied so far, with outputs in the place of their references. */
  readonly resolved: () => readonly Task[];
  /** Finds out what would be changed. */
  plan(signal: AbortSignal): Promise<RunResult>;
  /** Changes it. The caller holds the cluster's lock. */
  apply(signal: AbortSignal): Promise<RunResult>;
}

/** Prepares to plan and apply the tasks of a cluster within a scope. Nothing is changed before `apply`. */
export async function openConvergence(
  context: ActionContext,
  { store, name, completed, settings, tasks: all, isPart = false }: PreparedCluster,
  scope: Scope,
): Promise<Convergence> {
  const { prune, phase, maxTaskDurationMs } = scope;
  const driver = driverOf(completed.cluster);
  const kinds = kindsOf(driver);
  // What a later phase makes is neither made nor taken away, whatever is pruned.
  const due = <Of extends { readonly kind: string }>(list: readonly Of[]) =>
    list.filter(({ kind }) => isDue(kinds, kind, phase));
  const tasks = due(all);
  const say = (line: string) => note(context, line);
  const cloud = await openCloudLayer({ cluster: completed.cluster, storeUrl: store.url, settings, say });
  const env: StoreEnv = { ...cloud.env, ...storeEnv(store, name) };
  const whole = withLifecycles<StoreEnv>(
    due([managedFileHandler, keysetHandler, secretHandler, stateKeyHandler, ...cloud.handlers]),
    lifecyclesOf(kinds, phase, lifecyclesInScope(completed.cluster, scope)),
    driver.isForbidden,
  );
  // What groups that were not chosen have is wanted, though by none of these tasks.
  const handlers = isPart ? whole.map(neverRemoving) : whole;
  const resolved = new Map<string, Task>();
  const walk = (mode: 'plan' | 'apply', signal: AbortSignal) =>
    run<StoreEnv>({
      tasks,
      handlers,
      ...(maxTaskDurationMs !== undefined && mode === 'apply' && { limits: { perTaskDeadlineMs: maxTaskDurationMs } }),
      env,
      mode,
      prune,
      signal,
      clock: systemClock,
      random: Math.random,
      onEvent: (event) => context.onEvent({ type: 'task', mode, event }),
      onResolved: (task) => void resolved.set(taskId(task), task),
    });
  return {
    tasks,
    resolved: () => [...resolved.values()],
    plan: (signal) => walk('plan', signal),
    apply: (signal) => walk('apply', signal),
  };
}

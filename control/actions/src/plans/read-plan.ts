import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { OTHER_PLANS, planPath, WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';

/** Undefined where there is no such plan, or one of another version: what it says is not known then. */
export async function readPlan(store: StateStore, path: string, signal: AbortSignal): Promise<NodePlan | undefined> {
  const stored = await store.read(path, signal);
  if (stored === undefined) return undefined;
  try {
    return parsePlan(stored.bytes, path);
  } catch (error) {
    if (error instanceof PermanentError) return undefined;
    throw error;
  }
}

/** The plan of that hash, of whichever role. */
export async function readPlanByHash(
  store: StateStore,
  cluster: string,
  hash: string,
  signal: AbortSignal,
): Promise<NodePlan | undefined> {
  return (
    (await readPlan(store, planPath(cluster, WORKER_PLANS, hash), signal)) ??
    readPlan(store, planPath(cluster, OTHER_PLANS, hash), signal)
  );
}

import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { planFolderOf } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash as hashOf, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/**
 * The plan of that hash, if it is one for machines of this group; undefined otherwise. Groups see nothing of each other's
 * plans, which may hold files that the user gave to one group alone.
 */
export async function readPlan(
  cluster: string,
  { role, instanceGroup }: CloudMachine,
  planHash: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const path = planPath(cluster, planFolderOf(role), planHash);
  const stored = await store.read(path, signal);
  if (stored === undefined || hashOf(stored.bytes) !== planHash) return undefined;
  const plan = parsePlan(stored.bytes, path);
  const isIts = plan.cluster === cluster && plan.role === role && plan.instanceGroup === instanceGroup;
  return isIts ? stored.bytes : undefined;
}

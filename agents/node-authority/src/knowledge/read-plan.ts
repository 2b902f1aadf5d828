import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash as hashOf } from '@kopsctl/node-plan/plan-hash.ts';

/** The bytes of a worker's plan; undefined if no worker has one of that hash. */
export type ReadWorkerPlan = (planHash: string, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/**
 * The plan of that hash, if it is one for machines of this group; undefined otherwise. Groups see nothing of each other's
 * plans, which may hold files that the user gave to one group alone. Machines other than workers read theirs from the store.
 */
export async function readPlan(
  cluster: string,
  { role, instanceGroup }: CloudMachine,
  planHash: string,
  read: ReadWorkerPlan,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (role !== 'Node') return undefined;
  const bytes = await read(planHash, signal);
  if (bytes === undefined || hashOf(bytes) !== planHash) return undefined;
  const plan = parsePlan(bytes, `the plan ${planHash}`);
  const isIts = plan.cluster === cluster && plan.role === role && plan.instanceGroup === instanceGroup;
  return isIts ? bytes : undefined;
}

import { driverOf } from '../cloud/cloud-layer.ts';
import { type ActionContext, inPhase, note } from './action.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/**
 * Adds to a prepared cluster what the tool that makes it cannot ask of the cloud. Offline, the cloud is not asked, and
 * the user is told what is assumed instead.
 */
export async function askForTool(
  context: ActionContext,
  prepared: PreparedCluster,
  { offline }: { readonly offline: boolean },
): Promise<PreparedCluster> {
  const { tasks, completed } = prepared;
  const facts = await driverOf(completed.cluster).factsForTools?.();
  if (facts === undefined) return prepared;
  if (!offline) {
    const phase = 'ask the cloud what the tool cannot ask';
    return { ...prepared, tasks: await inPhase(context, phase, () => facts.ask(completed.cluster, tasks)) };
  }
  for (const line of facts.assumed(tasks)) note(context, line);
  return prepared;
}

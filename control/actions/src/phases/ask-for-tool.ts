import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { driverOf, openCloudLayer } from '../cloud/cloud-layer.ts';
import { type ActionContext, inPhase, note } from './action.ts';
import { checkMachines } from './check-machines.ts';
import { refuseUnreachedStore } from './refuse-own-server.ts';
import { refuseSeveralSshKeys } from './refuse-several-ssh-keys.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/**
 * Adds to a prepared cluster what the tool that makes it cannot ask of the cloud, and refuses machines that the cloud does
 * not have, of which the tool would learn halfway. Offline, the cloud is not asked, and the user is told what is assumed
 * instead.
 */
export async function askForTool(
  context: ActionContext,
  prepared: PreparedCluster,
  { offline, objects }: { readonly offline: boolean; readonly objects: readonly ParsedObject[] },
): Promise<PreparedCluster> {
  const { tasks, completed, settings, store } = prepared;
  refuseUnreachedStore(context, store, completed);
  await refuseSeveralSshKeys(store, completed);
  const facts = await driverOf(completed.cluster).factsForTools?.();
  if (facts === undefined) return prepared;
  if (!offline) {
    const { cluster } = completed;
    const layer = await openCloudLayer({ cluster, storeUrl: store.url, settings, say: () => {} });
    await checkMachines(context, layer, completed, objects);
    const phase = 'ask the cloud what the tool cannot ask';
    return { ...prepared, tasks: await inPhase(context, phase, () => facts.ask(completed.cluster, tasks)) };
  }
  for (const line of facts.assumed(tasks)) note(context, line);
  return prepared;
}

import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { driverOf, openCloudLayer } from '../cloud/cloud-layer.ts';
import { type ActionContext, inPhase, note } from './action.ts';
import { checkMachines } from './check-machines.ts';
import { checkReaders } from './check-readers.ts';
import { refuseUnreachedStore } from './refuse-own-server.ts';
import { refuseSeveralSshKeys } from './refuse-several-ssh-keys.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/**
 * Adds to a prepared cluster what the tool that makes it cannot ask of the cloud, and refuses a store that strangers read, and
 * machines that the cloud does not have, of which the tool would learn halfway. Offline, the cloud is not asked, and the user
 * is told what is assumed instead.
 */
export async function askForTool(
  context: ActionContext,
  prepared: PreparedCluster,
  { offline, objects }: { readonly offline: boolean; readonly objects: readonly ParsedObject[] },
): Promise<PreparedCluster> {
  const { tasks, completed, settings, store } = prepared;
  refuseUnreachedStore(context, store, completed);
  await refuseSeveralSshKeys(store, completed);
  const { cluster } = completed;
  const layer = offline ? undefined : await openCloudLayer({ cluster, storeUrl: store.url, settings, say: () => {} });
  // The files for the tool do not have the keys, but the store gets them now.
  if (layer !== undefined) await checkReaders(context, layer);
  const facts = await driverOf(cluster).factsForTools?.();
  if (facts === undefined) return prepared;
  if (layer !== undefined) {
    await checkMachines(context, layer, completed, objects);
    const phase = 'ask the cloud what the tool cannot ask';
    return { ...prepared, tasks: await inPhase(context, phase, () => facts.ask(cluster, tasks)) };
  }
  for (const line of facts.assumed(tasks)) note(context, line);
  return prepared;
}

import { readCluster } from './store/cluster-store.ts';
import { type ListedKeypair, listKeypairs, type ListedSshPublicKey, listSshPublicKeys } from './keys/list-keys.ts';
import type { ActionContext } from './phases/action.ts';
import { type ChosenCluster, chooseCluster } from './phases/choose-cluster.ts';
import { listSecrets } from './keys/secrets.ts';

/** The names of a cluster's secrets; never what is in them. */
export async function getSecrets(context: ActionContext): Promise<readonly string[]> {
  const { store, cluster } = await chosen(context);
  return listSecrets(store, cluster);
}

/** A cluster's key pairs, without their private halves. */
export async function getKeypairs(context: ActionContext): Promise<readonly ListedKeypair[]> {
  const { store, cluster } = await chosen(context);
  return listKeypairs(store, cluster);
}

/** The keys that may log in to a cluster's machines. */
export async function getSshPublicKeys(context: ActionContext): Promise<readonly ListedSshPublicKey[]> {
  const { store, cluster } = await chosen(context);
  return listSshPublicKeys(store, cluster);
}

/** @throws ActionableError where the store does not hold the cluster: an empty list would look like success */
async function chosen(context: ActionContext): Promise<ChosenCluster> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  return { store, cluster };
}

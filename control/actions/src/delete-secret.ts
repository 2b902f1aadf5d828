import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { takeSecretAway } from './keys/secrets.ts';

/** Deletes a secret of a cluster. Resolves with the cluster's name. */
export async function deleteSecret(context: ActionContext, { name }: { readonly name: string }): Promise<string> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await takeSecretAway(store, cluster, name);
  return cluster;
}

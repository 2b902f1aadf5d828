import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { findSecret } from './keys/secrets.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

/** Deletes a secret of a cluster as it was found. Resolves with the cluster's name. */
export async function deleteSecret(context: ActionContext, { name }: { readonly name: string }): Promise<string> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const { path, version } = await findSecret(store, cluster, name);
  await withClusterLock(store, cluster, 'secret', context, (signal) =>
    inPhase(context, 'delete the secret', () => store.delete(path, { ifVersion: version }, signal)),
  );
  return cluster;
}

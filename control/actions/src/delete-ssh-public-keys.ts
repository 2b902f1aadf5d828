import { readCluster } from './store/cluster-store.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { fingerprintIn, sshPublicKeyFolder } from './keys/ssh-public-key.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

/** Takes all keys of a cluster away; machines that are made afterwards have none. Resolves with their fingerprints. */
export async function deleteSshPublicKeys(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<{ readonly cluster: string; readonly fingerprints: readonly string[] }> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  await readCluster(store, cluster);
  const deleted = await withClusterLock(store, cluster, 'sshpublickey', context, (signal) =>
    inPhase(context, 'delete the SSH keys', async () => {
      const entries = await store.list(sshPublicKeyFolder(cluster), signal);
      for (const { path, version } of entries) await store.delete(path, { ifVersion: version }, signal);
      return entries;
    }),
  );
  return { cluster, fingerprints: deleted.map(({ path }) => fingerprintIn(path)) };
}

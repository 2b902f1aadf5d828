import { readCluster } from './store/cluster-store.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { sshPublicKeyFolder } from './keys/ssh-public-key.ts';

/** Takes all keys of a cluster away; machines that are made afterwards have none. Resolves with their fingerprints. */
export async function deleteSshPublicKeys(
  context: ActionContext,
  request: { readonly cluster?: string | undefined },
): Promise<{ readonly cluster: string; readonly fingerprints: readonly string[] }> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  await readCluster(store, cluster);
  const entries = await store.list(sshPublicKeyFolder(cluster));
  for (const { path, version } of entries) await store.delete(path, { ifVersion: version });
  return { cluster, fingerprints: entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)) };
}

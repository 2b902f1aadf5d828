import { readCluster } from './store/cluster-store.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { readSshPublicKey, sshPublicKeyPath } from './keys/ssh-public-key.ts';

/** Stores a key that may log in to the machines of a cluster. Storing the same key again changes nothing. */
export async function createSshPublicKey(
  context: ActionContext,
  request: { readonly cluster?: string | undefined; readonly file: string },
): Promise<{ readonly cluster: string; readonly fingerprint: string }> {
  const key = await readSshPublicKey(request.file, context.env);
  const { store, cluster } = await chooseCluster(context, request.cluster);
  await readCluster(store, cluster);
  const path = sshPublicKeyPath(cluster, key);
  await inPhase(context, 'store the SSH key', async () => {
    if ((await store.read(path)) === undefined) await store.write(path, Buffer.from(key.text), { ifAbsent: true });
  });
  return { cluster, fingerprint: key.fingerprint };
}

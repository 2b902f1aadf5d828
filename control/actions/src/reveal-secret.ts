import { readSecret } from './keys/secrets.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

/** What is in a secret of a cluster, for a person who asks for exactly that. */
export async function revealSecret(context: ActionContext, name: string): Promise<string> {
  const { store, cluster } = await chooseCluster(context, undefined);
  return (await readSecret(store, cluster, name)).toString('utf8');
}

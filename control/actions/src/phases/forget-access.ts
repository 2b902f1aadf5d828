import { trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { leadsTo, withoutCluster } from '../access/kubeconfig.ts';
import { kubeconfigPath, readKubeconfig, writeKubeconfig } from '../access/kubeconfig-file.ts';
import type { ActionContext } from './action.ts';

/**
 * Takes a cluster out of the user's kubeconfig, where the entries of its name lead to it: another store may hold a
 * cluster of the same name. It is known by its CA, so this is done while the store still holds that.
 */
export async function forgetAccess({ env }: ActionContext, store: StateStore, cluster: string): Promise<void> {
  const found = await readKeyset(store, cluster, 'kubernetes-ca');
  if (found === undefined) return;
  const path = kubeconfigPath(env);
  const config = await readKubeconfig(path);
  if (config === undefined || !leadsTo(config, cluster, trustedCertificates(found.keyset))) return;
  await writeKubeconfig(path, withoutCluster(config, cluster));
}

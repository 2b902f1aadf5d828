import { accessCluster, exportAccess } from './access/cluster-access.ts';
import { kubeconfigPath } from './access/kubeconfig-file.ts';
import { localSettings } from './cloud/local-settings.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

/** Writes an administrator's access to a cluster into the user's kubeconfig. */
export async function exportKubeconfig(
  context: ActionContext,
  request: { readonly cluster?: string | undefined; readonly lifetimeMs: number },
): Promise<{ readonly cluster: string; readonly path: string }> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const settings = localSettings(context.env, undefined);
  const access = await inPhase(context, 'find the API', () =>
    accessCluster(store, cluster, settings, { lifetimeMs: request.lifetimeMs, signal: context.signal }),
  );
  const path = kubeconfigPath(context.env);
  await inPhase(context, 'write the kubeconfig', () => exportAccess(access, cluster, path));
  return { cluster, path };
}

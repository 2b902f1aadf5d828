import { accessCluster, exportAccess } from '@kopsctl/apply/cluster-access.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import { kubeconfigPath } from '@kopsctl/apply/kubeconfig-file.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Writes an administrator's access to the cluster into the user's kubeconfig. */
export async function exportKubeconfig(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly admin: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const lifetimeMs = parseDuration(options.admin, '--admin');
  const access = await accessCluster(store, cluster, localSettings(env, undefined), lifetimeMs);
  const path = kubeconfigPath(env);
  await exportAccess(access, cluster, path);
  process.stdout.write(`kubectl now speaks to ${cluster} (${path})\n`);
  return 0;
}

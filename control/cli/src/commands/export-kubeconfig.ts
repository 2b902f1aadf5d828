import { exportKubeconfig as write } from '@kopsctl/actions/export-kubeconfig.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { kubeconfigWish, type KubeconfigOptions } from '../flags/kubeconfig-flags.ts';
import { writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export interface ExportKubeconfigOptions extends KubeconfigOptions {
  readonly all?: boolean;
  readonly authPlugin?: boolean;
  readonly kubeconfig?: string;
}

/** Writes the access to clusters into a kubeconfig. */
export async function exportKubeconfig(
  global: GlobalOptions,
  cluster: string | undefined,
  { all, authPlugin, kubeconfig, ...options }: ExportKubeconfigOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (all === true && (cluster ?? options.apiServer) !== undefined) {
    throw usageError({
      what: 'export access to all clusters',
      why: cluster === undefined ? '--api-server is for one cluster' : `--all and ${cluster} cannot be used together`,
      next: 'leave one of them out',
    });
  }
  const wish = { ...kubeconfigWish(options), usesPlugin: authPlugin, file: kubeconfig };
  const { clusters, path } = await write(actionContext(global, env), { cluster, all, ...wish });
  for (const name of clusters.slice(0, -1)) writeOut(`${name} is in ${path}\n`);
  writeOut(`kubectl now talks to ${clusters.at(-1) ?? ''} (${path})\n`);
  return 0;
}

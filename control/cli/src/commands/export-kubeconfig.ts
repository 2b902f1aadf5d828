import { parseDuration } from '../duration.ts';
import { exportKubeconfig as write } from '@kopsctl/actions/export-kubeconfig.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeOut } from '../terminal.ts';

/** Writes an administrator's access to the cluster into the user's kubeconfig. */
export async function exportKubeconfig(
  global: GlobalOptions,
  name: string | undefined,
  { admin }: { readonly admin: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const lifetimeMs = parseDuration(admin, '--admin');
  const { cluster, path } = await write(actionContext(global, env), { cluster: name, lifetimeMs });
  writeOut(`kubectl now speaks to ${cluster} (${path})\n`);
  return 0;
}

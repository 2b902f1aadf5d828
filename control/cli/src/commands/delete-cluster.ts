import { deleteCluster as remove } from '@kopsctl/actions/delete-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printDeleted, printRemnants } from '../print-deleted.ts';

/** Deletes what a cluster has in its cloud, then its state. Can be repeated after a failure. */
export async function deleteCluster(
  global: GlobalOptions,
  cluster: string | undefined,
  { yes = false, unregister = false }: { readonly yes?: boolean; readonly unregister?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  return printDeleted(await remove(context, { cluster, yes, unregister, onFound: printRemnants }));
}

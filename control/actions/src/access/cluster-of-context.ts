import * as z from 'zod';
import type { ActionContext } from '../phases/action.ts';
import { kubeconfigPath, readKubeconfig } from './kubeconfig-file.ts';

const contextOf = z.looseObject({ context: z.looseObject({ cluster: z.string() }) });

/**
 * The cluster that kubectl would ask: of several files, the first that says something counts. Undefined where none does, or
 * where a file is not a kubeconfig: nothing depends on it.
 */
export async function clusterOfContext({ env }: Pick<ActionContext, 'env'>): Promise<string | undefined> {
  const files = (env['KUBECONFIG'] ?? '').split(':').filter(Boolean);
  const configs = await Promise.all(
    (files.length > 0 ? files : [kubeconfigPath(env)]).map((file) => readKubeconfig(file).catch(() => undefined)),
  );
  const wanted = configs.map((config) => config?.['current-context'] ?? '').find((name) => name !== '');
  const current = configs.flatMap((config) => config?.contexts ?? []).find(({ name }) => name === wanted);
  return contextOf.safeParse(current).data?.context.cluster;
}

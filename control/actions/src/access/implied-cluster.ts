import type { ActionContext } from '../phases/action.ts';

/**
 * The cluster that is meant where none is named: the only one, or else that of kubectl's context, as in kops.
 *
 * @param names of the clusters in the state store
 */
export async function impliedCluster(
  names: readonly string[],
  context: Pick<ActionContext, 'env'>,
): Promise<string | undefined> {
  if (names.length < 2) return names[0];
  // Completion waits for neither kubeconfigs nor their parser where a store has one cluster.
  const { clusterOfContext } = await import('./cluster-of-context.ts');
  const current = await clusterOfContext(context);
  return names.find((one) => one === current);
}

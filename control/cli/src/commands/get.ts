import { getCluster, getClusters as clustersOf, getInstanceGroups as groupsOf } from '@kopsctl/actions/get-objects.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { clusterTable, groupTable } from '../output/object-tables.ts';
import { print, type StoredPrinting } from '../output/print-stored.ts';

export interface GetOptions extends StoredPrinting {
  readonly full?: boolean;
}

/** Prints clusters: those named, else all of the store. */
export async function getClusters(
  global: GlobalOptions,
  names: readonly string[],
  options: GetOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env);
  const clusters = await clustersOf(context, { names, full: options.full ?? false });
  // One that is named is one object, whichever way it is named.
  const single = names.length === 1 || (names.length === 0 && context.name !== undefined);
  return print(context, clusters, { ...options, single }, () => clusterTable(clusters));
}

/** Prints instance groups of a cluster: those named, else all. */
export async function getInstanceGroups(
  global: GlobalOptions,
  names: readonly string[],
  options: GetOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env);
  const groups = await groupsOf(context, { names, full: options.full ?? false });
  return print(context, groups, { ...options, single: groups.length === 1 }, () => groupTable(groups));
}

/** Prints a Cluster and its instance groups. */
export async function getAll(global: GlobalOptions, options: GetOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const context = actionContext(global, env);
  const { cluster, instanceGroups, additional } = await getCluster(context, { full: options.full ?? false });
  const asTable = () => `${clusterTable([cluster])}\n${groupTable(instanceGroups)}`;
  return print(context, [cluster, ...instanceGroups], { ...options, additional }, asTable);
}

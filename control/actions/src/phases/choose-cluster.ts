import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { impliedCluster } from '../access/implied-cluster.ts';
import { clusterNames } from '../store/cluster-names.ts';
import { type ActionContext, note } from './action.ts';
import { openStateStore } from './open-store.ts';

/** A cluster in its state store. Whether the store holds it is found out when it is read. */
export interface ChosenCluster {
  readonly store: StateStore;
  readonly cluster: string;
}

/** Opens the state store and chooses the cluster in it. */
export async function chooseCluster(
  context: Pick<ActionContext, 'state' | 'name' | 'env' | 'author' | 'onEvent'> &
    Partial<Pick<ActionContext, 'signal'>>,
  argument: string | undefined,
): Promise<ChosenCluster> {
  const store = await openStateStore(context);
  return { store, cluster: await nameOfCluster(context, store, argument) };
}

/**
 * The cluster that a command is about: its argument, --name, or the one that is implied.
 */
export async function nameOfCluster(
  context: Pick<ActionContext, 'name' | 'env' | 'onEvent'> & Partial<Pick<ActionContext, 'signal'>>,
  store: StateStore,
  argument: string | undefined,
): Promise<string> {
  // A script's variable may have no value.
  const named = argument === '' ? context.name : (argument ?? context.name);
  if (named !== undefined) return named;
  const names = await clusterNames(store, context.signal);
  const implied = await impliedCluster(names, context);
  if (implied !== undefined) {
    if (names.length > 1) note(context, `Using cluster from kubectl context: ${implied}`);
    return implied;
  }
  throw new ActionableError({
    what: 'choose a cluster',
    isUsage: names.length > 0,
    why: names.length === 0 ? `${store.url} holds none` : `${store.url} holds ${names.join(', ')}`,
    next:
      names.length === 0 ? 'check --state, or create one with `kopsctl create cluster NAME`' : 'name one with --name',
  });
}

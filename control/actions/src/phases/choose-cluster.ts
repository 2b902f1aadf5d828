import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { clusterNames } from '../store/cluster-names.ts';
import { clusterOfContext } from '../access/cluster-of-context.ts';
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
 * The cluster that a command is about: its argument, --name, the one of kubectl's context where the store holds it, as in
 * kops, or the only one in the store.
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
  const current = await clusterOfContext(context);
  if (current !== undefined && names.includes(current)) {
    note(context, `Using cluster from kubectl context: ${current}`);
    return current;
  }
  const [only] = names;
  if (names.length === 1 && only !== undefined) return only;
  throw new ActionableError({
    what: 'choose a cluster',
    isUsage: names.length > 0,
    why: names.length === 0 ? `${store.url} holds none` : `${store.url} holds ${names.join(', ')}`,
    next:
      names.length === 0 ? 'check --state, or create one with `kopsctl create cluster NAME`' : 'name one with --name',
  });
}

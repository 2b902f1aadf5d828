import type { StateStore } from '@kopsctl/state-store/store.ts';
import { rollLockPath, withRollLock } from '../rolling/roll-lock.ts';
import { lockPath, withClusterLock } from '../store/with-cluster-lock.ts';
import { refuseBesideUpgrade } from '../upgrade/operation-lock.ts';
import type { ActionContext } from './action.ts';

export interface Alone {
  readonly store: StateStore;
  readonly cluster: string;
  /** What is refused while somebody else works on the cluster, for the error. */
  readonly what: string;
  /** One word, which others are told. */
  readonly purpose: string;
}

/** The locks that are held meanwhile. They are deleted last. */
export const locksOf = (cluster: string): readonly string[] => [rollLockPath(cluster), lockPath(cluster)];

/**
 * Does something to a cluster while nobody else changes it, and while nobody replaces its machines, who would make some again.
 * The locks of a process that died hinder nobody on its computer, and expire elsewhere. @throws ActionableError that names
 * who works on it
 */
export async function aloneWithCluster<Result>(
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  { store, cluster, what, purpose }: Alone,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withRollLock(store, cluster, { context, what, purpose }, (rolling) =>
    withClusterLock(store, cluster, purpose, context, async (held) => {
      // An upgrade that begins from now on needs these locks before it changes machines.
      await refuseBesideUpgrade(store, cluster, what);
      return work(AbortSignal.any([rolling, held]));
    }),
  );
}

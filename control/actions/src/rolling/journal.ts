import type { StateStore } from '@kopsctl/state-store/store.ts';
import { changeWishOf, type Journal, type JournalKind, openJournalOf, readJournalOf } from '../store/journal.ts';
import { type Roll, rollSchema } from './roll.ts';

/** Where a cluster's rolling update is written down: beside what kops writes, in a folder that it leaves alone. */
const ROLLS: JournalKind<Roll> = {
  path: (cluster) => `${cluster}/manifests/kopsctl/rolling-update.json`,
  parse: (json) => rollSchema.parse(json),
  of: 'rolling updates',
  afterDeletion: 'check with `kubectl get nodes` whether a Node is cordoned, and roll the cluster again',
};

/** The latest rolling update of a cluster. Undefined where it was never rolled. */
export const readRoll = async (store: StateStore, cluster: string, signal?: AbortSignal): Promise<Roll | undefined> =>
  (await readJournalOf(ROLLS, store, cluster, signal)).entry;

/** Opens the journal for the one process that rolls: it holds the lock of rolling updates. */
export const openRollJournal = (store: StateStore, cluster: string, signal: AbortSignal): Promise<Journal<Roll>> =>
  openJournalOf(ROLLS, store, cluster, signal);

/** Changes what is asked of the process that rolls. @returns the journal, undefined where there is none */
export const changeRollWish = (
  store: StateStore,
  cluster: string,
  change: (roll: Roll) => Roll,
  signal: AbortSignal,
): Promise<Roll | undefined> => changeWishOf(ROLLS, store, cluster, change, signal);

import type { StateStore } from '@kopsctl/state-store/store.ts';
import { changeWishOf, type Journal, type JournalKind, openJournalOf, readJournalOf } from '../store/journal.ts';
import { type Operation, operationSchema } from './operation.ts';

const OPERATIONS: JournalKind<Operation> = {
  path: (cluster) => `${cluster}/manifests/kopsctl/upgrade.json`,
  parse: (json) => operationSchema.parse(json),
  of: 'upgrades',
  afterDeletion: 'and run the upgrade again: it starts from what was applied',
};

/** The latest upgrade or reconciliation of a cluster. */
export const readOperation = async (
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<Operation | undefined> => (await readJournalOf(OPERATIONS, store, cluster, signal)).entry;

/** Opens the journal for the one process that does it: it holds the lock of upgrades. */
export const openOperationJournal = (
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<Journal<Operation>> => openJournalOf(OPERATIONS, store, cluster, signal);

/** Changes what a person has asked, or how it was left. @returns the journal, undefined where there is none */
export const changeOperation = (
  store: StateStore,
  cluster: string,
  change: (operation: Operation) => Operation,
  signal: AbortSignal,
): Promise<Operation | undefined> => changeWishOf(OPERATIONS, store, cluster, change, signal);

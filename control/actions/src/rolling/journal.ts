import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { type Roll, rollSchema } from './roll.ts';

/** Where a cluster's rolling update is written down: beside what kops writes, in a folder that it leaves alone. */
const journalPath = (cluster: string): string => `${cluster}/manifests/kopsctl/rolling-update.json`;

/** The journal of a cluster's latest rolling update, held by the one who rolls. */
export interface Journal {
  /** Undefined where the cluster was never rolled. */
  readonly roll: Roll | undefined;
  /** Replaces the journal. What somebody has asked for in the meantime is kept, and returned with the rest. */
  write(roll: Roll): Promise<Roll>;
  /** Reads what somebody has asked for in the meantime. */
  refresh(): Promise<Roll | undefined>;
}

interface Found {
  readonly roll: Roll | undefined;
  readonly version: string | undefined;
}

export async function readJournal(store: StateStore, cluster: string, signal?: AbortSignal): Promise<Found> {
  const path = journalPath(cluster);
  const stored = await store.read(path, signal);
  if (stored === undefined) return { roll: undefined, version: undefined };
  return { roll: parse(stored.bytes, store, path), version: stored.version };
}

function parse(bytes: Uint8Array, store: StateStore, path: string): Roll {
  try {
    return rollSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new ActionableError({
      what: `read the journal of rolling updates ${path} in ${store.url}`,
      why: cause instanceof Error ? cause.message : 'it is no journal',
      next: 'use the version of kopsctl that wrote it; or delete it, look with `kubectl get nodes` whether one is cordoned, and roll the cluster once more',
      cause,
    });
  }
}

/** More conflicts than this are no coincidence: only one process rolls, and people ask for something now and then. */
const MAX_CONFLICTS = 10;

/** Opens the journal for the one process that rolls: it holds the lock of rolling updates. */
export async function openJournal(store: StateStore, cluster: string, signal: AbortSignal): Promise<Journal> {
  let found = await readJournal(store, cluster, signal);
  return {
    get roll() {
      return found.roll;
    },
    async write(roll) {
      for (let conflicts = 0; ; conflicts += 1) {
        // Not cut off by the end of this process: what was done has to be written down.
        const written = await replace(store, cluster, roll, found.version);
        if (written !== undefined) {
          found = written;
          return roll;
        }
        if (conflicts === MAX_CONFLICTS) throw new Error(`${journalPath(cluster)} is written by somebody else as well`);
        found = await readJournal(store, cluster);
        roll = withWishOf(roll, found.roll);
      }
    },
    async refresh() {
      found = await readJournal(store, cluster, signal);
      return found.roll;
    },
  };
}

/** Undefined where somebody else was faster. */
async function replace(store: StateStore, cluster: string, roll: Roll, version: string | undefined) {
  const condition = version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: version };
  const bytes = Buffer.from(`${sortedJson(roll, 2)}\n`);
  try {
    return { roll, version: (await store.write(journalPath(cluster), bytes, condition)).version };
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

const withWishOf = (roll: Roll, other: Roll | undefined): Roll => {
  const { wish: _wish, ...rest } = roll;
  return other?.id === roll.id && other.wish !== undefined ? { ...rest, wish: other.wish } : rest;
};

/** Changes what is asked of the one who rolls. @returns the journal, undefined where there is none */
export async function changeWish(
  store: StateStore,
  cluster: string,
  change: (roll: Roll) => Roll,
  signal: AbortSignal,
): Promise<Roll | undefined> {
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts += 1) {
    const { roll, version } = await readJournal(store, cluster, signal);
    if (roll === undefined) return undefined;
    const changed = change(roll);
    if (changed === roll || (await replace(store, cluster, changed, version)) !== undefined) return changed;
  }
  throw new ConflictError(store.url, journalPath(cluster), 'it changes all the time');
}

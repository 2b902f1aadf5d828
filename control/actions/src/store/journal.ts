import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore, Stored } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { againOnConflict } from '@kopsctl/state-store/again-on-conflict.ts';

/** What a person has asked of the process that works. */
export type Wish = 'pause' | 'abort';

/** Work that takes hours, as it is written down: the next process continues where the last one was cut off. */
export interface JournalEntry {
  /** Different from that of any other entry. */
  readonly id: string;
  readonly wish?: Wish | undefined;
}

/** Where entries of a kind are kept, and how they are read. */
export interface JournalKind<Entry extends JournalEntry> {
  readonly path: (cluster: string) => string;
  /** @throws where it is not such an entry */
  readonly parse: (json: unknown) => Entry;
  /** For errors: what the journal is of. */
  readonly of: string;
  /** What to do where it cannot be read, after `delete it`. */
  readonly afterDeletion: string;
}

/** The journal of a cluster's latest work of a kind, held by the one process that does it. */
export interface Journal<Entry extends JournalEntry> {
  /** Undefined where there was none yet. */
  readonly entry: Entry | undefined;
  /**
   * Replaces the entry. What somebody has asked for in the meantime is kept, and returned with the rest.
   *
   * @throws ActionableError where another process has continued the work
   */
  write(entry: Entry): Promise<Entry>;
  /** Reads what somebody has asked for in the meantime. @throws like `write` */
  refresh(): Promise<Entry | undefined>;
}

interface Found<Entry> {
  readonly entry: Entry | undefined;
  readonly version: string | undefined;
}

/** The journal as it was written last; undefined where there is none. @throws ActionableError where it cannot be read */
export async function readJournalOf<Entry extends JournalEntry>(
  kind: JournalKind<Entry>,
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<Found<Entry>> {
  const path = kind.path(cluster);
  return parseJournal(kind, store, path, await store.read(path, signal));
}

function parseJournal<Entry extends JournalEntry>(
  kind: JournalKind<Entry>,
  store: StateStore,
  path: string,
  stored: Stored | undefined,
): Found<Entry> {
  if (stored === undefined) return { entry: undefined, version: undefined };
  try {
    return { entry: kind.parse(JSON.parse(new TextDecoder().decode(stored.bytes))), version: stored.version };
  } catch (cause) {
    throw new ActionableError({
      what: `read the journal of ${kind.of} ${path} in ${store.url}`,
      why: cause instanceof Error ? cause.message : 'it is not a journal',
      next: `use the version of kopsctl that wrote it; or delete it, ${kind.afterDeletion}`,
      cause,
    });
  }
}

/** Opens the journal for the one process that works: it holds the lock for it. */
export async function openJournalOf<Entry extends JournalEntry>(
  kind: JournalKind<Entry>,
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<Journal<Entry>> {
  const path = kind.path(cluster);
  let found = await readJournalOf(kind, store, cluster, signal);
  /** @throws ActionableError where it is not what this process left, apart from what people ask */
  const accept = (now: Found<Entry>, ...left: readonly (Entry | undefined)[]): void => {
    if (!left.some((entry) => isSameWork(entry, now.entry))) throw takenOver(kind, path);
    found = now;
  };
  return {
    get entry() {
      return found.entry;
    },
    write(entry) {
      let isFirst = true;
      return againOnConflict(async () => {
        if (!isFirst) {
          // A write whose answer was lost is there as well.
          accept(await readJournalOf(kind, store, cluster), found.entry, entry);
          entry = withWishOf(entry, found.entry);
        }
        isFirst = false;
        // Not cut off by the end of this process: what was done has to be written down.
        found = await replace(store, path, entry, found.version);
        return entry;
      });
    },
    async refresh() {
      const stored = await store.read(path, signal);
      // Asked for at every look, and mostly the version that is known.
      if (stored?.version !== found.version) accept(parseJournal(kind, store, path, stored), found.entry);
      return found.entry;
    },
  };
}

const isSameWork = <Entry extends JournalEntry>(one: Entry | undefined, other: Entry | undefined): boolean =>
  isSameJson(one && { ...one, wish: undefined }, other && { ...other, wish: undefined });

/** A lock expires while its holder is away, such as a computer that sleeps: the next process has continued since. */
const takenOver = ({ of }: Pick<JournalKind<never>, 'of'>, path: string): ActionableError =>
  new ActionableError({
    what: `continue from ${path}`,
    why: `somebody else has written this journal of ${of}: this process was suspended for longer than its lock lasts`,
    next: 'see who is at work, and the progress, with `kopsctl rolling-update status`; this process does nothing more',
  });

/** @throws ConflictError where somebody else was faster */
async function replace<Entry extends JournalEntry>(
  store: StateStore,
  path: string,
  entry: Entry,
  version: string | undefined,
): Promise<Found<Entry>> {
  const bytes = Buffer.from(`${sortedJson(entry, 2)}\n`);
  return { entry, version: (await store.write(path, bytes, ifUnchanged(version))).version };
}

const withWishOf = <Entry extends JournalEntry>(entry: Entry, other: Entry | undefined): Entry => ({
  ...entry,
  wish: other?.id === entry.id ? other.wish : undefined,
});

/** Changes what is asked of the process that works. @returns the entry, undefined where there is none */
export function changeWishOf<Entry extends JournalEntry>(
  kind: JournalKind<Entry>,
  store: StateStore,
  cluster: string,
  change: (entry: Entry) => Entry,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  return againOnConflict(async () => {
    const { entry, version } = await readJournalOf(kind, store, cluster, signal);
    if (entry === undefined) return undefined;
    const changed = change(entry);
    if (changed !== entry) await replace(store, kind.path(cluster), changed, version);
    return changed;
  });
}

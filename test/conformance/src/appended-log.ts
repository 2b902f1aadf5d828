import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

const PATH = 'demo/log';
const PAUSE_MS = 10;

/**
 * Appends an entry to a log that several writers share, as every user of the store changes an object: read, change, write on the
 * condition that it is unchanged. After a conflict or a failure it looks again, and tries again unless the entry is there.
 */
export async function append(store: StateStore, entry: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const there = await store.read(PATH, signal);
      const entries = entriesIn(there?.bytes);
      if (entries.includes(entry)) return;
      const condition = ifUnchanged(there?.version);
      await store.write(PATH, Buffer.from([...entries, entry].join('\n')), condition, signal);
      return;
    } catch (error) {
      // Whether it was written is not known; the next look tells.
      if (error instanceof TypeError) throw error;
      if (!(error instanceof ConflictError)) await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

export async function readLog(store: StateStore): Promise<readonly string[]> {
  return entriesIn((await store.read(PATH))?.bytes);
}

function entriesIn(bytes: Uint8Array | undefined): readonly string[] {
  const text = Buffer.from(bytes ?? []).toString();
  return text === '' ? [] : text.split('\n');
}

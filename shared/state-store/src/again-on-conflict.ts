import { ConflictError } from './store.ts';

/** More conflicts than this are not a coincidence: somebody writes the object over and over. */
const MAX_CONFLICTS = 10;

/**
 * Changes an object of the store that others change as well. `attempt` reads it, decides, and writes it on the condition that
 * it is still what was read; where another writer came in between, it is called again and begins with reading.
 *
 * A store may report a conflict with a write that was its own (docs/state-store.md), so an attempt that finds what it was to
 * write has nothing left to do. Any other error ends it.
 *
 * @param maxConflicts for objects that many write at the same moment
 * @throws ConflictError of the last attempt, if others were faster each time
 */
export async function againOnConflict<Result>(
  attempt: () => Promise<Result>,
  maxConflicts = MAX_CONFLICTS,
): Promise<Result> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConflictError) || conflicts >= maxConflicts) throw error;
    }
  }
}

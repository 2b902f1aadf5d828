import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** Code that holds this only compares and renames, so a wait of this length means a stopped process. */
const WAIT_LIMIT_MS = 30_000;
const SQLITE_BUSY = 5;

/**
 * Runs `work` while no other process does so with the same lock file.
 *
 * Node offers no flock(2). SQLite, which is part of Node, takes POSIX record locks on its file, and
 * `BEGIN EXCLUSIVE` without a write takes the lock and leaves the file empty. The kernel drops such a lock when
 * its process ends, by whatever signal: there is no stale lock to detect, and none to break by mistake. It also
 * holds between containers that share the folder, where process ids would mean nothing.
 */
export async function withExclusiveLock<T>(
  lockFile: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    const giveUpAtMs = performance.now() + WAIT_LIMIT_MS;
    for (let waits = 0; !tryBegin(database); waits += 1) {
      signal?.throwIfAborted();
      if (performance.now() > giveUpAtMs) throw heldTooLong(lockFile);
      await sleep(Math.random() * Math.min(2 + waits, 20), undefined, signal === undefined ? {} : { signal });
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryBegin(database: { exec(sql: string): void }): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY) return false;
    throw thrown;
  }
}

function heldTooLong(lockFile: string): ActionableError {
  return new ActionableError({
    what: `lock the state store by ${lockFile}`,
    why: `another process has held the lock for ${WAIT_LIMIT_MS / 1000} s`,
    next: `find it with: fuser -v ${lockFile} (it is stopped or its disk hangs); the lock ends with that process`,
  });
}

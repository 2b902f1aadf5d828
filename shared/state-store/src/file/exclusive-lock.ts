import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

const SQLITE_BUSY = 5;

export interface ExclusiveLock {
  readonly file: string;
  /** Completes "cannot …". */
  readonly what: string;
  /** Longer than any holder works: a process that holds the lock for this long is stopped. */
  readonly waitLimitMs: number;
}

/**
 * Runs `work` while no other process holds the same lock file. Creates the file if it does not exist.
 *
 * Node offers no flock(2). SQLite, which is part of Node, takes POSIX record locks on its file, and
 * `BEGIN EXCLUSIVE` without a write takes the lock and leaves the file empty. The kernel drops such a lock when
 * its process ends, by whatever signal: there is no stale lock to detect or to break by mistake. It also
 * works between containers that share the folder, where process ids mean nothing.
 */
export async function withExclusiveLock<T>(
  lock: ExclusiveLock,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(lock.file, { timeout: 0 });
  try {
    const giveUpAtMs = performance.now() + lock.waitLimitMs;
    for (let waits = 0; !tryBegin(database); waits += 1) {
      signal?.throwIfAborted();
      if (performance.now() > giveUpAtMs) throw heldTooLong(lock);
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

function heldTooLong({ file, what, waitLimitMs }: ExclusiveLock): ActionableError {
  return new ActionableError({
    what,
    why: `another process has held ${file} for ${waitLimitMs / 1000} s`,
    next: `find it with: fuser -v ${file} (it is stopped or its disk hangs); the lock ends with that process`,
  });
}

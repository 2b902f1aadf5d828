import { readFile } from 'node:fs/promises';

/**
 * Whether a process holds a lock on a file, such as that of a state store of files. While such a process is stopped nobody else
 * writes to that store, which is not what tests of paused managers are about.
 */
export const holdsLock = async (pid: number): Promise<boolean> => locksIn(await readFile('/proc/locks', 'utf8'), pid);

/** The same, from the text of /proc/locks (proc_locks(5)). */
export const locksIn = (locks: string, pid: number): boolean =>
  locks.split('\n').some((line) => line.split(/\s+/)[4] === String(pid));

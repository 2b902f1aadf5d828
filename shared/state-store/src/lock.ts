import { randomUUID } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifUnchanged } from './condition.ts';
import type { StateStore, Stored } from './store.ts';
import { ConflictError } from './store.ts';
import { isFree, parseLock, printLock, type LockRecord } from './lock-record.ts';

export interface LockRequest {
  /** The new holder, for the message that the next operator sees, e.g. `anna@laptop (pid 4711)`. */
  readonly owner: string;
  /** The purpose, e.g. `apply`. */
  readonly purpose: string;
  /** How long the lock outlives its last renewal. Longer than the longest pause between two renewals. */
  readonly ttlMs: number;
  /** The clock. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** Tells the holder apart from every other process that has ever run. */
  readonly process?: string;
  /** Whether a process has certainly ended. False where that cannot be known: its lock then has to expire. */
  readonly hasEnded?: (process: string) => Promise<boolean>;
}

/** Another process took or broke the lock that we held. */
export class LockLostError extends ActionableError {
  override readonly name = 'LockLostError';
}

/**
 * For work that was ended and returns what it got done: a lost lock is an error, unlike a person who stops it.
 * @throws LockLostError where that ended the work
 */
export function throwIfLockLost({ reason }: AbortSignal): void {
  if (reason instanceof LockLostError) throw reason;
}

export interface HeldLock {
  readonly record: LockRecord;
  /** Pushes the expiry out to now + ttl. @throws LockLostError when another process took or broke the lock meanwhile. */
  renew(): Promise<void>;
  /** Frees the lock. Returns `lost` when it was no longer ours; a lock of another holder is left alone. */
  release(): Promise<'released' | 'lost'>;
}

/**
 * Takes the lock at `path`, e.g. `demo.example.com/lock`, or throws an error that names its holder. A lock is free once it
 * was released, has expired, or its holder has certainly ended. The lock keeps two operators from working against each
 * other. The condition of each write ensures that no write is lost, even when the lock expires under its holder.
 */
export async function acquireLock(store: StateStore, path: string, request: LockRequest): Promise<HeldLock> {
  const found = await store.read(path, request.signal);
  await refuseIfHeld(store, path, found, request);
  const nowMs = request.now();
  let record: LockRecord = {
    id: randomUUID(),
    owner: request.owner,
    purpose: request.purpose,
    acquiredMs: nowMs,
    expiresMs: nowMs + request.ttlMs,
    isReleased: false,
    ...(request.process !== undefined && { process: request.process }),
  };
  let version = await write(store, path, record, found, request);

  async function replace(next: LockRecord): Promise<boolean> {
    try {
      version = (await store.write(path, printLock(next), { ifVersion: version })).version;
      record = next;
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ConflictError)) throw thrown;
    }
    // Without the signal: work that is being ended winds down under the lock, and frees it.
    const found = await store.read(path);
    const there = found === undefined ? undefined : parseLock(found.bytes);
    if (found === undefined || there?.id !== record.id || found.version === version) return false;
    // An earlier write of ours, whose answer was lost.
    [version, record] = [found.version, there];
    return record.isReleased ? next.isReleased : replace(next);
  }

  return {
    get record() {
      return record;
    },
    async renew() {
      const renewed = { ...record, expiresMs: request.now() + request.ttlMs };
      if (!record.isReleased && (await replace(renewed))) return;
      throw lost(store, path, await store.read(path));
    },
    async release() {
      if (record.isReleased) return 'released';
      return (await replace({ ...record, isReleased: true })) ? 'released' : 'lost';
    },
  };
}

/** The current holder of the lock; `undefined` while it is free. */
export async function findLock(store: StateStore, path: string, nowMs: number): Promise<LockRecord | undefined> {
  const found = await store.read(path);
  const record = found === undefined ? undefined : parseLock(found.bytes);
  return record === undefined || isFree(record, nowMs) ? undefined : record;
}

/**
 * Takes the lock from its holder and leaves it free (`kopsctl toolbox unlock`). The former holder finds out at its next
 * renewal. Returns the former holder; `undefined` when the lock was free or unreadable.
 * @throws ConflictError when it changed hands at this moment.
 */
export async function breakLock(store: StateStore, path: string, nowMs: number): Promise<LockRecord | undefined> {
  const found = await store.read(path);
  if (found === undefined) return undefined;
  await store.delete(path, { ifVersion: found.version });
  const record = parseLock(found.bytes);
  return record === undefined || isFree(record, nowMs) ? undefined : record;
}

async function write(
  store: StateStore,
  path: string,
  record: LockRecord,
  found: Stored | undefined,
  request: LockRequest,
) {
  try {
    const condition = ifUnchanged(found?.version);
    return (await store.write(path, printLock(record), condition, request.signal)).version;
  } catch (thrown) {
    if (!(thrown instanceof ConflictError)) throw thrown;
    await refuseIfHeld(store, path, await store.read(path, request.signal), request);
    throw thrown; // Taken and freed again within this moment: the message to repeat the command is right.
  }
}

async function refuseIfHeld(
  store: StateStore,
  path: string,
  found: Stored | undefined,
  { now, hasEnded }: LockRequest,
): Promise<void> {
  if (found === undefined) return;
  const record = parseLock(found.bytes);
  if (record !== undefined && isFree(record, now())) return;
  if (record?.process !== undefined && (await hasEnded?.(record.process)) === true) return;
  throw new ActionableError({
    what: `lock ${path} in ${store.url}`,
    why:
      record === undefined
        ? 'the object there is not a lock'
        : `${describe(record)}; it expires by itself at ${time(record.expiresMs)}`,
    next: `wait until that is done${isBreakable(path) ? '; if you are certain that the holder no longer runs: kopsctl toolbox unlock' : ''}`,
  });
}

/** `kopsctl toolbox unlock` breaks the lock of a cluster, and none of work that lasts longer than its process. */
const isBreakable = (path: string): boolean => /^[^/]+\/lock$/.test(path);

function lost(store: StateStore, path: string, found: Stored | undefined): LockLostError {
  const record = found === undefined ? undefined : parseLock(found.bytes);
  return new LockLostError({
    what: `keep the lock ${path} in ${store.url}`,
    why:
      record === undefined || record.isReleased
        ? 'somebody removed it (kopsctl toolbox unlock)'
        : `${describe(record)} now`,
    next: 'find out who did that and why, then repeat the command; what was done so far stays',
  });
}

function describe(record: LockRecord): string {
  return `${record.owner} has held it for "${record.purpose}" since ${time(record.acquiredMs)}`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

import { expect, test } from 'vitest';
import type { StateStore } from './store.ts';
import { acquireLock, breakLock, findLock } from './lock.ts';
import { createMemoryStore } from './memory.ts';

const PATH = 'demo.example.com/lock';

function setUp() {
  const store = createMemoryStore();
  const clock = { ms: Date.UTC(2026, 0, 1) };
  const lockAs = (owner: string) =>
    acquireLock(store, PATH, { owner, purpose: 'apply', ttlMs: 60_000, now: () => clock.ms });
  return { store, clock, lockAs };
}

test('The second operator learns who holds the lock, since when, until when and how to break it', async () => {
  const { lockAs } = setUp();
  await lockAs('anna@laptop');
  await expect(lockAs('ben@ci')).rejects.toMatchObject({
    why: 'anna@laptop has held it for "apply" since 2026-01-01T00:00:00.000Z; it expires by itself at 2026-01-01T00:01:00.000Z',
    next: expect.stringContaining('kopsctl toolbox unlock'),
  });
});

test('one of two operators at the same moment gets the lock, and the other is told so', async () => {
  const { lockAs } = setUp();
  const outcomes = await Promise.allSettled([lockAs('anna'), lockAs('ben')]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(String(refused?.reason)).toMatch(/(anna|ben) has held it for "apply"/);
});

test('A released lock is free, and may be released again', async () => {
  const { store, clock, lockAs } = setUp();
  const lock = await lockAs('anna');
  expect(await lock.release()).toBe('released');
  expect(await lock.release()).toBe('released');
  expect(await findLock(store, PATH, clock.ms)).toBeUndefined();
  await lockAs('ben');
  expect((await findLock(store, PATH, clock.ms))?.owner).toBe('ben');
});

test('A lock that is renewed is kept, one that is not expires', async () => {
  const { clock, lockAs } = setUp();
  const lock = await lockAs('anna');
  clock.ms += 59_000;
  await lock.renew();
  clock.ms += 59_000;
  await expect(lockAs('ben')).rejects.toThrow(/anna has held it/);
  clock.ms += 1_000;
  await lockAs('ben');
});

test('A holder that lost the lock finds out when it renews, and does not release the lock of the new holder', async () => {
  const { store, clock, lockAs } = setUp();
  const annas = await lockAs('anna');
  clock.ms += 60_000;
  await lockAs('ben');
  await expect(annas.renew()).rejects.toThrow(/ben has held it for "apply" since .* now/);
  expect(await annas.release()).toBe('lost');
  expect((await findLock(store, PATH, clock.ms))?.owner).toBe('ben');
});

test('A lock can be broken, and says whose it was', async () => {
  const { store, clock, lockAs } = setUp();
  const annas = await lockAs('anna');
  expect((await breakLock(store, PATH, clock.ms))?.owner).toBe('anna');
  expect(await breakLock(store, PATH, clock.ms)).toBeUndefined();
  await expect(annas.renew()).rejects.toThrow(/somebody removed it/);
  await lockAs('ben');
});

test('Something else than a lock at the path is neither taken nor overwritten', async () => {
  const { store, lockAs } = setUp();
  await store.write(PATH, Buffer.from('kind: Cluster'), { ifAbsent: true });
  await expect(lockAs('anna')).rejects.toThrow(/is not a lock/);
});

test('A lock whose holder has certainly ended is taken over at once', async () => {
  const { store, clock } = setUp();
  const request = { purpose: 'apply', ttlMs: 60_000, now: () => clock.ms };
  const gone = new Set(['the first']);
  const hasEnded = async (process: string): Promise<boolean> => gone.has(process);
  const first = await acquireLock(store, PATH, { ...request, owner: 'anna', process: 'the first', hasEnded });
  await acquireLock(store, PATH, { ...request, owner: 'ben', process: 'the second', hasEnded });
  expect((await findLock(store, PATH, clock.ms))?.owner).toBe('ben');
  expect(await first.release()).toBe('lost');
  // Nothing is known of the second, and it has not expired.
  await expect(acquireLock(store, PATH, { ...request, owner: 'cleo', hasEnded })).rejects.toThrow(/ben has held it/);
});

/** A store that keeps the next write, and loses its answer. */
function losingAnswers(store: StateStore) {
  let losesNext = false;
  const losing: StateStore = {
    ...store,
    async write(...written) {
      const kept = await store.write(...written);
      if (!losesNext) return kept;
      losesNext = false;
      throw new Error('the answer is lost');
    },
  };
  return { losing, loseNext: () => void (losesNext = true) };
}

test('A renewal whose answer was lost is not a lost lock', async () => {
  const { store, clock } = setUp();
  const { losing, loseNext } = losingAnswers(store);
  const request = { owner: 'anna', purpose: 'apply', ttlMs: 60_000, now: () => clock.ms };
  const lock = await acquireLock(losing, PATH, request);
  loseNext();
  await expect(lock.renew()).rejects.toThrow('the answer is lost');
  clock.ms += 40_000;
  await lock.renew();
  expect((await findLock(store, PATH, clock.ms + 59_000))?.owner).toBe('anna');
  loseNext();
  await expect(lock.release()).rejects.toThrow('the answer is lost');
  expect(await lock.release()).toBe('released');
  expect(await findLock(store, PATH, clock.ms)).toBeUndefined();
});

test('Work that was stopped still frees its lock where the answer of a write was lost', async () => {
  const { store, clock } = setUp();
  const { losing, loseNext } = losingAnswers(store);
  const stopped = new AbortController();
  // A store that heeds the signal.
  const read: StateStore['read'] = async (path, signal) => {
    signal?.throwIfAborted();
    return losing.read(path);
  };
  const request = { owner: 'anna', purpose: 'apply', ttlMs: 60_000, now: () => clock.ms, signal: stopped.signal };
  const lock = await acquireLock({ ...losing, read }, PATH, request);
  stopped.abort();
  clock.ms += 40_000;
  loseNext();
  await expect(lock.renew()).rejects.toThrow('the answer is lost');
  expect(await lock.release()).toBe('released');
});

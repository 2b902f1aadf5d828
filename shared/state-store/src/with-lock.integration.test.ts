import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { breakLock, findLock, LockLostError } from './lock.ts';
import { createMemoryStore } from './memory.ts';
import type { StateStore } from './store.ts';
import { withLock } from './with-lock.ts';

const PATH = 'demo.example.com/lock';
const request = { owner: 'anna', purpose: 'apply', ttlMs: 90, now: Date.now };

test('Work that takes longer than the lock lives keeps it, and frees it when it ends', async () => {
  const store = createMemoryStore();
  const result = await withLock(store, PATH, request, async () => {
    await sleep(400);
    return (await findLock(store, PATH, Date.now()))?.owner;
  });
  expect(result).toBe('anna');
  expect(await findLock(store, PATH, Date.now())).toBeUndefined();
});

test('Work that fails frees the lock as well', async () => {
  const store = createMemoryStore();
  const failed = withLock(store, PATH, request, () => Promise.reject(new Error('no space')));
  await expect(failed).rejects.toThrow('no space');
  expect(await findLock(store, PATH, Date.now())).toBeUndefined();
});

test('Work is ended when its lock is broken', async () => {
  const store = createMemoryStore();
  const work = withLock(store, PATH, request, async (signal) => {
    await breakLock(store, PATH, Date.now());
    await once(signal, 'abort');
    signal.throwIfAborted();
  });
  await expect(work).rejects.toBeInstanceOf(LockLostError);
});

test('Work is ended when its lock expires while the store is away or silent, and not before', async () => {
  const outages = {
    refuses: () => Promise.reject(new Error('no route to host')),
    isSilent: () => new Promise<never>(() => {}),
  };
  for (const outage of Object.values(outages)) {
    const memory = createMemoryStore();
    let isAway = false;
    const write: StateStore['write'] = (...args) => (isAway ? outage() : memory.write(...args));
    const startMs = Date.now();
    const work = withLock({ ...memory, write }, PATH, { ...request, ttlMs: 300 }, async (signal) => {
      isAway = true;
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    await expect(work).rejects.toThrow(/it expired at .*, before the store answered again/);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(300);
  }
});

test('Work goes on where the store was away for less than the lock lasts', async () => {
  const memory = createMemoryStore();
  let failures = 0;
  const write: StateStore['write'] = (...args) =>
    memory.write(...args).then((written) => {
      if ((failures += 1) === 2) throw new Error('the connection was reset');
      return written;
    });
  const result = await withLock({ ...memory, write }, PATH, { ...request, ttlMs: 300 }, async () => {
    await sleep(600);
    return (await findLock(memory, PATH, Date.now()))?.owner;
  });
  expect(result).toBe('anna');
});

test('A lock is freed in the way that is asked for', async () => {
  const store = createMemoryStore();
  const free = async () => 'left as it is';
  expect(await withLock(store, PATH, { ...request, ttlMs: 60_000, free }, async () => 'done')).toBe('done');
  expect((await findLock(store, PATH, Date.now()))?.owner).toBe('anna');
});

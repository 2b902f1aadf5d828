import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { breakLock, findLock, LockLostError } from './lock.ts';
import { createMemoryStore } from './memory.ts';
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

test('A lock is freed in the way that is asked for', async () => {
  const store = createMemoryStore();
  const free = async () => 'left as it is';
  expect(await withLock(store, PATH, { ...request, ttlMs: 60_000, free }, async () => 'done')).toBe('done');
  expect((await findLock(store, PATH, Date.now()))?.owner).toBe('anna');
});

import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { thisProcess } from './this-process.ts';
import { findHolder } from './with-cluster-lock.ts';

const PATH = 'a/lock';

/** A store with a lock that a process has taken for a minute. */
async function lockedBy(process: string | undefined) {
  const store = createMemoryStore();
  const nowMs = Date.now();
  const times = { acquiredMs: nowMs, expiresMs: nowMs + 60_000 };
  const record = { id: 'one', owner: 'root@host', purpose: 'roll', ...times, isReleased: false };
  await store.write(PATH, printLock({ ...record, ...(process !== undefined && { process }) }), { ifAbsent: true });
  return findHolder(store, PATH, nowMs);
}

test('a lock of a process that runs, or that nobody here can see, has a holder', async () => {
  expect(await lockedBy(await thisProcess())).toMatchObject({ owner: 'root@host' });
  expect(await lockedBy('another boot/1/2/3')).toMatchObject({ owner: 'root@host' });
  expect(await lockedBy(undefined)).toMatchObject({ owner: 'root@host' });
});

test('a lock of a process of this machine that has ended has none', async () => {
  const own = (await thisProcess()) ?? '';
  // The same process with another beginning: its number belongs to a later one now.
  expect(await lockedBy(own.replace(/\d+$/, '1'))).toBeUndefined();
});

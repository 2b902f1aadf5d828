import { acquireLock, findLock } from '@kopsctl/state-store/lock.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { freeLock } from './free-lock.ts';

const PATH = 'demo.example.com/manifests/kopsctl/rolling-update.lock';
const START_MS = Date.UTC(2030, 0, 1);

/** Frees a lock whose store is away for this long; each of its requests takes ten seconds then. */
async function freed(awaySeconds: number, { process, aborts = false }: { process?: string; aborts?: boolean } = {}) {
  let nowMs = START_MS;
  const memory = createMemoryStore();
  let isAway = false;
  const store: StateStore = {
    ...memory,
    write: async (...args) => {
      if (!isAway || nowMs >= START_MS + awaySeconds * 1000) return memory.write(...args);
      nowMs += 10_000;
      throw Object.assign(new Error('the store was not reached'), { code: 'ECONNREFUSED' });
    },
  };
  const request = { owner: 'anna', purpose: 'roll', ttlMs: 120_000, now: () => nowMs, ...(process && { process }) };
  const lock = await acquireLock(store, PATH, request);
  isAway = true;
  const said: string[] = [];
  const repeating = { lookAgainMs: 0, nowMs: () => nowMs, say: (line: string) => said.push(line) };
  const signal = aborts ? AbortSignal.abort() : new AbortController().signal;
  await freeLock(lock, { path: PATH, storeUrl: 'memory://', ...repeating }, signal);
  return { said, seconds: (nowMs - START_MS) / 1000, holder: await findLock(store, PATH, nowMs) };
}

test('A lock is released also where its store is away for a moment', async () => {
  const { said, holder } = await freed(30);
  expect(holder).toBeUndefined();
  expect(said).toEqual(['trying again: the store was not reached']);
});

test('Work that is done does not fail where its lock stays: the person is told when it ends', async () => {
  const { said, seconds, holder } = await freed(600);
  expect(said.at(-1)).toBe(
    `The work is done, but its lock ${PATH} in memory:// could not be released (the store was not reached). It expires by itself at 2030-01-01T00:02:00.000Z`,
  );
  expect(seconds).toBeLessThan(120);
  expect(holder).toMatchObject({ owner: 'anna' });
});

test('Where commands on the same computer can see that the process has ended, that is said', async () => {
  const { said } = await freed(600, { process: 'boot 1, process 7' });
  expect(said.at(-1)).toMatch(/; on this computer, it does not block anyone once this process has ended$/);
});

test('Whoever ends the command does not wait for the store', async () => {
  const { said, seconds } = await freed(600, { aborts: true });
  expect(said).toEqual([expect.stringContaining('(interrupted before the state store answered)')]);
  expect(seconds).toBe(10);
});

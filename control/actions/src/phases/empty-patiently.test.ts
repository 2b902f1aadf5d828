import { LockLostError } from '@kopsctl/state-store/lock.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { expect, test } from 'vitest';
import { emptyPatiently } from './empty-patiently.ts';

const CANCELLED: RunResult = { mode: 'apply', tasks: [], deletions: [], changed: 0, failed: 0, cancelled: true };

const endedBy = (reason: unknown) =>
  emptyPatiently({ empty: async () => CANCELLED }, undefined, AbortSignal.abort(reason));

test('A deletion that a person stops has an unfinished result', async () => {
  expect(await endedBy(undefined)).toBe(CANCELLED);
});

test('A deletion that ends because a lock was lost fails for that reason', async () => {
  const lost = new LockLostError({ what: 'keep the lock', why: 'somebody removed it', next: 'find out who' });
  await expect(endedBy(lost)).rejects.toBe(lost);
});

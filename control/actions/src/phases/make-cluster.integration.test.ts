import { LockLostError } from '@kopsctl/state-store/lock.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { expect, test } from 'vitest';
import type { Convergence } from './converge.ts';
import { makeCluster } from './make-cluster.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/** Changes that are ended for a reason while they are made. */
function endedBy(reason: unknown): Promise<RunResult> {
  const controller = new AbortController();
  // What is made of a cluster is in the convergence alone.
  const prepared = { store: createMemoryStore(), name: 'demo.example.com' } as unknown as PreparedCluster;
  const convergence = {
    async apply(signal: AbortSignal): Promise<RunResult> {
      controller.abort(reason);
      return { mode: 'apply', tasks: [], deletions: [], changed: 0, failed: 0, cancelled: signal.aborted };
    },
  } as unknown as Convergence;
  const context = { env: {}, signal: controller.signal, onEvent: () => {} };
  return makeCluster(context, prepared, convergence, async () => {});
}

test('Changes that a person stops have an unfinished result', async () => {
  expect((await endedBy(undefined)).cancelled).toBe(true);
});

test('Changes that end because a lock was lost fail for that reason', async () => {
  const lost = new LockLostError({ what: 'keep the lock', why: 'somebody removed it', next: 'find out who' });
  await expect(endedBy(lost)).rejects.toBe(lost);
});

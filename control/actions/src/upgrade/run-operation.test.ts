import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { openOperationJournal, readOperation } from './operation-journal.ts';
import { runOperation } from './run-operation.ts';

const START: Operation = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'Upgrade',
  id: 'one',
  startedMs: 0,
  state: 'running',
  stages: [{ what: 'roll', kubernetes: '1.35.0', changes: [], state: 'waiting' }],
};

/** An upgrade that a person stops while its only stage is taken, which ends with what is thrown. */
async function stoppedWhileTaken(thrownBy: (stop: AbortSignal) => unknown) {
  const store = createMemoryStore();
  const { signal } = new AbortController();
  const stopping = new AbortController();
  const journal = await openOperationJournal(store, 'demo', signal);
  const take = async () => {
    stopping.abort();
    throw thrownBy(stopping.signal);
  };
  const env = { journal, take, onStage: () => {}, lookAgainMs: 0, nowMs: () => 1, say: () => {} };
  const ended = await runOperation(START, env, { stop: stopping.signal, signal }).catch((error: unknown) => error);
  return { ended, written: await readOperation(store, 'demo') };
}

test('A stage that ends because a person stops it is stopped', async () => {
  const { ended, written } = await stoppedWhileTaken((stop) => stop.reason);
  expect(written).toMatchObject({ state: 'stopped', why: 'a person stopped it' });
  expect(ended).toEqual(written);
});

test('So is one that says what it could not do for that reason', async () => {
  const { written } = await stoppedWhileTaken((stop) => new Error('cannot ask the API', { cause: stop.reason }));
  expect(written?.state).toBe('stopped');
});

test('A stage that fails for another reason has failed, although a person stops it', async () => {
  const failure = new Error('no space');
  const { ended, written } = await stoppedWhileTaken(() => failure);
  expect(written).toMatchObject({ state: 'failed', why: 'no space' });
  expect(ended).toBe(failure);
});

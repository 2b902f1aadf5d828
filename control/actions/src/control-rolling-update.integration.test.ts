import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askRoller } from './control-rolling-update.ts';
import type { ActionContext } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { openRollJournal, readRoll } from './rolling/journal.ts';
import { ROLLING, withRollLock } from './rolling/roll-lock.ts';
import type { Roll } from './rolling/roll.ts';
import type { Operation } from './upgrade/operation.ts';
import { openOperationJournal, readOperation } from './upgrade/operation-journal.ts';
import { withOperationLock } from './upgrade/operation-lock.ts';

const NAME = 'demo.example.com';

const PAUSED: Operation = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'Reconciliation',
  id: 'one',
  startedMs: 0,
  state: 'paused',
  wish: 'pause',
  stages: [],
};
const ROLL: Roll = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'RollingUpdate',
  id: 'a',
  startedMs: 0,
  state: 'done',
  turns: [],
};

let folder: string;
let context: ActionContext;
let store: StateStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-ask-'));
  const { signal } = new AbortController();
  context = { state: `file://${folder}`, name: NAME, env: {}, signal, onEvent: () => {} };
  store = await openStateStore(context);
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a latest reconciliation into the journal. */
const write = async (operation: Operation) =>
  (await openOperationJournal(store, NAME, context.signal)).write(operation);

test('A reconciliation that has only its lock yet is asked to pause once it has begun', async () => {
  await write(PAUSED);
  await withOperationLock(store, NAME, 'reconcile', context, async () => {
    await expect(askRoller(context, 'pause', {}, 0)).rejects.toThrow('it has not begun yet');
    expect(await readOperation(store, NAME)).toEqual(PAUSED);
    const asked = askRoller(context, 'pause', {});
    await write({ ...PAUSED, id: 'two', state: 'running', wish: undefined });
    expect((await asked).operation).toMatchObject({ id: 'two', state: 'running', wish: 'pause' });
  });
});

test('A rolling update that does not begin is not said to pause', async () => {
  const journal = await openRollJournal(store, NAME, context.signal);
  await journal.write(ROLL);
  const lock = { context, what: 'roll it', purpose: ROLLING };
  await withRollLock(store, NAME, lock, async () => {
    await expect(askRoller(context, 'abort', {}, 300)).rejects.toThrow('it has not begun yet');
  });
  expect(await readRoll(store, NAME)).toEqual(ROLL);
});

test('An upgrade that ends meanwhile is not said to pause', async () => {
  await write(PAUSED);
  let answer: Promise<unknown> = Promise.resolve();
  await withOperationLock(store, NAME, 'upgrade', context, async () => {
    await expect(askRoller(context, 'pause', {}, 0)).rejects.toThrow('it has not begun yet');
    answer = askRoller(context, 'pause', {}).catch((error: unknown) => error);
  });
  expect(String(await answer)).toContain('no rolling update is running');
});

import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import type { ClusterFindings } from '../validate/compare-cluster.ts';
import type { ValidationFailure } from '../validate/plan-validation.ts';
import { followCluster, type FollowRequest, type Progress } from './follow-cluster.ts';

const found = (failures: readonly ValidationFailure[] = []): ClusterFindings => ({
  failures,
  warnings: [],
  machines: [],
  nodes: [],
});
const wrong = (message = 'no answer') => found([{ kind: 'API', name: 'demo', message }]);

/** Everything that is printed about these reports in one look. */
async function toldOf(reports: Readonly<Record<string, string>>): Promise<readonly Progress[]> {
  const store = createMemoryStore();
  for (const [node, text] of Object.entries(reports)) {
    await store.write(`demo/nodes/${node}/boot-report.json`, Buffer.from(text), { ifAbsent: true });
  }
  const told: Progress[] = [];
  await followCluster({
    store,
    cluster: 'demo',
    look: async () => wrong(),
    onProgress: (progress) => told.push(progress),
    tellsFailures: false,
    waitMs: 1,
    count: 1,
    intervalMs: 0,
    signal: new AbortController().signal,
  });
  return told;
}

test('A machine that writes no report does not end the following of others', async () => {
  const good = JSON.stringify({
    startedAt: 'now',
    result: 'done',
    tasks: [{ task: 'File/a', durationMs: 5, result: 'changed' }],
  });
  expect(await toldOf({ a: '{}', b: 'not JSON', c: good })).toEqual([
    { type: 'report-unreadable', machine: 'a', why: expect.any(String) },
    { type: 'report-unreadable', machine: 'b', why: expect.any(String) },
    { type: 'machine-task', machine: 'c', task: 'File/a', result: 'changed', durationMs: 5 },
    { type: 'machine-converged', machine: 'c', result: 'done', tasks: 1 },
  ]);
});

test('No control character of a report gets through', async () => {
  const task = { task: '\u001b[2J', durationMs: 1, result: 'failed', error: '\u001b]0;title\u0007' };
  const told = await toldOf({ a: JSON.stringify({ startedAt: '', result: 'failed', tasks: [task] }) });
  expect(told[0]).toMatchObject({ task: '\ufffd[2J', error: '\ufffd]0;title\ufffd' });
});

/** Looks at a cluster that is as `states` say, one after the other, and stays as the last one says. */
async function follow(states: readonly ClusterFindings[], changes: Partial<FollowRequest> = {}) {
  const told: Progress[] = [];
  const looks: boolean[] = [];
  const result = await followCluster({
    store: createMemoryStore(),
    cluster: 'demo',
    look: async (isLast) => {
      looks.push(isLast);
      return states[Math.min(looks.length, states.length) - 1] ?? found();
    },
    onProgress: (progress) => told.push(progress),
    tellsFailures: true,
    waitMs: 60_000,
    count: 1,
    intervalMs: 0,
    signal: new AbortController().signal,
    ...changes,
  });
  return { result, looks, told };
}

test('What is wrong is told when it changes, and not at each look', async () => {
  const { told, looks } = await follow([wrong('a'), wrong('a'), wrong('b'), found()]);
  expect(looks).toEqual([false, false, false, false]);
  expect(told).toEqual([
    { type: 'wrong', failures: ['API demo: a'] },
    { type: 'wrong', failures: ['API demo: b'] },
    { type: 'api-answers' },
  ]);
});

test('a person who does not wait looks once, and that look is the last', async () => {
  const { result, looks } = await follow([wrong('a')], { waitMs: 0 });
  expect(looks).toEqual([true]);
  expect(result.failures).toHaveLength(1);
});

test('A cluster has to be valid as often in a row as is asked', async () => {
  const { looks } = await follow([found(), wrong(), found(), found()], { count: 2 });
  expect(looks).toHaveLength(4);
});

test('A cluster that was valid, but not often enough before the time was over, is not valid', async () => {
  const { result } = await follow([found()], { count: 2, waitMs: 0 });
  expect(result.failures.map(({ message }) => message)).toEqual([
    'was valid in only 1 of 2 checks in a row before the time ran out',
  ]);
});

test('A person who stops the following gets what was wrong before', async () => {
  const stop = new AbortController();
  const { result, looks } = await follow([wrong('a')], {
    onProgress: () => stop.abort(),
    signal: stop.signal,
  });
  expect(looks).toHaveLength(1);
  expect(result).toEqual({ ...wrong('a'), isStopped: true });
});

test('What a look finds that a person has cut off is not what is wrong', async () => {
  const stop = new AbortController();
  let looks = 0;
  const look = async () => {
    if ((looks += 1) === 1) return wrong('a');
    stop.abort();
    return wrong('This operation was aborted');
  };
  const { result } = await follow([], { look, signal: stop.signal });
  expect(result).toEqual({ ...wrong('a'), isStopped: true });
  const { signal } = stop;
  await expect(follow([wrong('This operation was aborted')], { signal })).rejects.toBe(signal.reason);
});

test('A person who stops the following of a cluster that was not valid often enough is told that', async () => {
  const stop = new AbortController();
  const look = async () => {
    stop.abort();
    return found();
  };
  const { result } = await follow([], { look, count: 3, signal: stop.signal });
  expect(result.failures.map(({ message }) => message)).toEqual([
    'was valid in only 1 of 3 checks in a row before it was stopped',
  ]);
  expect(result.isStopped).toBe(true);
});

test('A store that cannot be read is a failure that names it', async () => {
  const store = {
    ...createMemoryStore(),
    list: async () => {
      throw new Error('connection refused');
    },
  };
  const { result } = await follow([found()], { store, waitMs: 1 });
  expect(result.failures).toEqual([{ kind: 'StateStore', name: 'demo', message: 'connection refused' }]);
});

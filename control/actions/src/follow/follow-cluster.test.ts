import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { followCluster, type Progress } from './follow-cluster.ts';

/** Everything that is told of these reports in one look. */
async function toldOf(reports: Readonly<Record<string, string>>): Promise<readonly Progress[]> {
  const store = createMemoryStore();
  for (const [node, text] of Object.entries(reports)) {
    await store.write(`demo/nodes/${node}/boot-report.json`, Buffer.from(text), { ifAbsent: true });
  }
  const told: Progress[] = [];
  await followCluster({
    store,
    cluster: 'demo',
    expected: async () => [],
    api: undefined,
    onProgress: (progress) => told.push(progress),
    deadlineMs: 0,
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

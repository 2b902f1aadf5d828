import { bootReport, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { fetchBootReport, readBootReport } from './read-boot-report.ts';

const read = (text: string) => readBootReport({ bytes: Buffer.from(text) });

test('A report is read as nodeup writes it', () => {
  const report = bootReport({
    node: 'nodes-1',
    planHash: 'ab'.repeat(32),
    events: [
      { type: 'run-started', atMs: 1, tasks: ['File/a'] },
      { type: 'task-started', atMs: 2, task: 'File/a', attempt: 1 },
      { type: 'task-failed', atMs: 5, task: 'File/a', error: 'no room', next: 'make some', attempts: 1 },
      { type: 'run-finished', atMs: 6, changed: 0, failed: 1 },
    ],
  });
  expect(read(printBootReport(report))).toEqual({
    planHash: 'ab'.repeat(32),
    startedAt: '1970-01-01T00:00:00.001Z',
    finishedAt: '1970-01-01T00:00:00.006Z',
    result: 'failed',
    tasks: [
      {
        task: 'File/a',
        startedAt: '1970-01-01T00:00:00.002Z',
        durationMs: 3,
        result: 'failed',
        error: 'no room',
        hint: 'make some',
      },
    ],
  });
});

test.each([
  ['{}'],
  ['null'],
  ['[]'],
  ['not JSON'],
  ['{"startedAt":"x","result":"done","tasks":"none"}'],
  ['{"startedAt":"x","result":"done","tasks":[{}]}'],
  [JSON.stringify({ startedAt: 'x', result: 'done', tasks: Array.from({ length: 5001 }, () => ({})) })],
  [' '.repeat(4 * 1024 ** 2 + 1)],
])('%.60s is not a report, and says why', (text) => {
  expect(read(text)).toEqual({ unreadable: expect.stringMatching(/./) });
});

test('No control character of a report gets through', () => {
  const evil = '\u001b[2Jgone\u0007';
  const task = { task: evil, durationMs: 1, result: 'failed', error: evil, hint: evil };
  const shown = JSON.stringify(read(JSON.stringify({ startedAt: evil, result: 'done', tasks: [task] })));
  expect(shown).toContain('gone');
  expect(shown).not.toMatch(/\\u00(?:0|1|7f|8|9)/);
  expect(JSON.stringify(read(`{"startedAt":"a","result":"${evil}"`))).not.toMatch(/\\u00(?:0|1|7f|8|9)/);
});

const PIECE_BYTES = 1 << 20;

/** A store whose objects are as large as a machine says, and that counts how much of them is read. */
function largeObjects(saidBytes: number) {
  let taken = 0;
  async function* pieces() {
    for (; taken < 100 * PIECE_BYTES; taken += PIECE_BYTES) yield Buffer.alloc(PIECE_BYTES, ' ');
  }
  const store: StateStore = {
    ...createMemoryStore(),
    read: () => Promise.reject(new Error('a report is never read as a whole')),
    readStream: async () => ({ chunks: pieces(), size: saidBytes, version: 'v' }),
  };
  return { store, takenBytes: () => taken };
}

test.each([
  ['says so', 100 * PIECE_BYTES],
  ['says that it is small', 10],
])('no more of a report of 100 MiB that %s is taken than a report may have', async (_what, saidBytes) => {
  const { store, takenBytes } = largeObjects(saidBytes);
  const found = await fetchBootReport(store, 'demo/nodes/a/boot-report.json', new AbortController().signal);
  expect(found?.report).toEqual({ unreadable: expect.stringMatching(/^it has more than 4 MiB$/) });
  expect(takenBytes()).toBeLessThanOrEqual(5 * PIECE_BYTES);
});

test('A report whose connection breaks is unreadable, and read again the next time', async () => {
  async function* broken() {
    yield Buffer.from('{');
    throw new Error('reset by \u001b[31mpeer');
  }
  const readStream = async () => ({ chunks: broken(), size: 10, version: 'v' });
  const store: StateStore = { ...createMemoryStore(), readStream };
  const found = await fetchBootReport(store, 'demo/nodes/a/boot-report.json', new AbortController().signal);
  expect(found).toEqual({ report: { unreadable: 'reset by \ufffd[31mpeer' } });
});

test('There is no report where none was written, and a command that ends reads none', async () => {
  const store = createMemoryStore();
  const path = 'demo/nodes/a/boot-report.json';
  expect(await fetchBootReport(store, path, new AbortController().signal)).toBeUndefined();
  await expect(fetchBootReport(store, path, AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended');
});

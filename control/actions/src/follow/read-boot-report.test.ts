import { bootReport, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import { expect, test } from 'vitest';
import { readBootReport } from './read-boot-report.ts';

const read = (text: string) => readBootReport({ bytes: Buffer.from(text) });

test('A report is read as nodeup writes it', () => {
  const report = bootReport({
    node: 'nodes-1',
    planHash: 'abc',
    events: [
      { type: 'run-started', atMs: 1, tasks: ['File/a'] },
      { type: 'task-started', atMs: 2, task: 'File/a', attempt: 1 },
      { type: 'task-failed', atMs: 5, task: 'File/a', error: 'no room', next: 'make some', attempts: 1 },
      { type: 'run-finished', atMs: 6, changed: 0, failed: 1 },
    ],
  });
  expect(read(printBootReport(report))).toEqual({
    startedAt: '1970-01-01T00:00:00.001Z',
    finishedAt: '1970-01-01T00:00:00.006Z',
    result: 'failed',
    tasks: [{ task: 'File/a', durationMs: 3, result: 'failed', error: 'no room', hint: 'make some' }],
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
])('%.60s is no report, and says why', (text) => {
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

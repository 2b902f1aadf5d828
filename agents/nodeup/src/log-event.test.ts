import { expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { logEvent } from './log-event.ts';

const event = { type: 'task-failed', atMs: 0, task: 'File/a', error: 'two\nlines', next: 'look', attempts: 1 } as const;

test.each([
  [
    'for the journal a line begins with its priority',
    true,
    '<3>nodeup: task failed task=File/a error="two\\nlines" next=look\n',
  ],
  ['for a person it is plain', false, 'nodeup: task failed task=File/a error="two\\nlines" next=look\n'],
])('%s', (_title, isJournal, expected) => {
  const lines: string[] = [];
  logEvent(
    makeLog((line) => lines.push(line), isJournal, 'nodeup'),
    event,
  );
  expect(lines).toEqual([expected]);
});

test('an unchanged task leaves no line', () => {
  const lines: string[] = [];
  const log = makeLog((line) => lines.push(line), false, 'nodeup');
  logEvent(log, { type: 'task-started', atMs: 0, task: 'File/a', attempt: 1 });
  logEvent(log, { type: 'task-finished', atMs: 0, task: 'File/a', result: 'unchanged', attempts: 1 });
  expect(lines).toEqual([]);
});

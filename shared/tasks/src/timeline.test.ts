import { expect, test } from 'vitest';
import type { TaskEvent } from './event.ts';
import type { TaskId } from './task.ts';
import { criticalPath, timeline } from './timeline.ts';

const ran = (task: TaskId, fromMs: number, toMs: number): readonly TaskEvent[] => [
  { type: 'task-started', atMs: fromMs, task, attempt: 1 },
  { type: 'task-finished', atMs: toMs, task, result: 'changed', attempts: 1 },
];

test('a task that failed first and then worked has no error left, and counts its attempts', () => {
  const task = 'A/a';
  const events: TaskEvent[] = [
    { type: 'task-started', atMs: 5, task, attempt: 1 },
    { type: 'task-retrying', atMs: 10, task, attempt: 1, error: 'away', inMs: 10 },
  ];
  expect(timeline(events)).toMatchObject([{ result: 'running', error: 'away', attempts: 1 }]);
  events.push({ type: 'task-started', atMs: 20, task, attempt: 2 });
  events.push({ type: 'task-finished', atMs: 30, task, result: 'changed', attempts: 2 });
  expect(timeline(events)).toEqual([
    { task, startMs: 5, durationMs: 25, attempts: 2, result: 'changed', warnings: [] },
  ]);
});

test('the critical path goes back from what ended last through the needs that ended last', () => {
  const entries = timeline([
    ...ran('A/quick', 0, 10),
    ...ran('A/slow', 0, 90),
    ...ran('A/last', 90, 100),
    ...ran('A/other', 0, 95),
  ]);
  const needs: Partial<Record<TaskId, TaskId[]>> = { 'A/last': ['A/quick', 'A/slow'] };
  expect(criticalPath(entries, (task) => needs[task] ?? []).map(({ task }) => task)).toEqual(['A/slow', 'A/last']);
});

import { expect, test } from 'vitest';
import { causesText } from './causes.ts';
import type { TaskResult } from './run-result.ts';

const task = (id: TaskResult['id'], more: Partial<TaskResult>): TaskResult => ({
  id,
  result: 'failed',
  steps: [],
  attempts: 1,
  warnings: [],
  ...more,
});

test('One cause is told once, with what to do and how much it stopped', () => {
  const failed = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    task(`aws/Vpc/${name}`, { error: `cannot look for VPC ${name}: no credentials`, hint: 'log in' }),
  );
  const others = [
    task('aws/Subnet/x', { result: 'skipped', error: 'aws/Vpc/a failed' }),
    task('Keyset/ca', { result: 'planned' }),
    task('File/f', { error: 'disk full' }),
    // A task that only looks may have no advice.
    task('File/g', { error: 'disk full', hint: 'make room' }),
    task('File/h', { error: 'disk full', hint: 'buy a disk' }),
  ];
  expect(causesText({ tasks: [...failed, ...others], deletions: [] })).toBe(
    [
      'Failed:',
      '  no credentials',
      '    aws/Vpc/a, aws/Vpc/b, aws/Vpc/c and 2 more',
      '    Next: log in',
      '  disk full',
      '    File/f, File/g, File/h',
      '    Next: make room',
      '  not tried, as they need these: 1 task',
      '',
    ].join('\n'),
  );
});

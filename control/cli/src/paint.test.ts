import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { paintPlan, progressBar } from './paint.ts';

test('a plan on a terminal has marks and colours, and says the same', () => {
  const plan = 'Will create:\n  Thing/a\n    set a\n\nWill modify:\n  Thing/b\n    set b\n      -old\n      +new\n';
  const painted = paintPlan(plan);
  expect(painted).not.toBe(plan);
  expect(stripVTControlCharacters(painted)).toBe(
    plan.replace('  Thing/a', '+ Thing/a').replace('  Thing/b', '~ Thing/b'),
  );
});

test.each([
  [{ done: 0, total: 4, what: 'tasks', elapsedMs: 100 }, '░░░░░░░░░░░░░░░░░░░░░░░░ 0/4 tasks'],
  [{ done: 2, total: 4, what: 'tasks', elapsedMs: 3000 }, '████████████░░░░░░░░░░░░ 2/4 tasks, about 3 s left'],
  [{ done: 4, total: 4, what: 'machines', elapsedMs: 9000 }, '████████████████████████ 4/4 machines'],
])('%j is a bar', (progress, bar) => {
  expect(progressBar(progress)).toBe(bar);
});

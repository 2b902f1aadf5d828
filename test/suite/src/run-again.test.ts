import { expect, test } from 'vitest';
import type { Phase } from './phases.ts';
import { againPhase } from './run-again.ts';
import { type EndedPhase, verdict } from './verdict.ts';

const PHASE: Phase = { name: 'faults', command: ['node', 'run'], projects: ['faults'] };
const failed = (...names: string[]): EndedPhase => ({
  name: 'faults',
  seconds: 500,
  exitCode: 1,
  load: 11,
  tally: { passed: 40, failed: names.map((name) => ({ name, why: 'Error: not within 60 s' })), skipped: [] },
});
const passed: EndedPhase = {
  name: 'faults again',
  seconds: 30,
  exitCode: 0,
  load: 1,
  tally: { passed: 2, failed: [], skipped: [] },
};

test('the failed files of a phase run once more, one after the other', () => {
  const again = againPhase(PHASE, failed('a.test.ts > etcd restores', 'a.test.ts > etcd waits', 'b.test.ts'));
  expect(again).toEqual({
    name: 'faults again',
    command: ['node', 'run', 'a.test.ts', 'b.test.ts', '--no-file-parallelism'],
    projects: ['faults'],
  });
});

test('nothing runs again where nothing failed, or too much did', () => {
  expect(againPhase(PHASE, failed())).toBe(undefined);
  expect(againPhase(PHASE, failed('a.test.ts > x', 'b.test.ts > x', 'c.test.ts > x'))).toBe(undefined);
});

test('what passes when it runs again is named, and fails nothing', () => {
  const { exitCode, lines } = verdict([{ ...failed('a.test.ts > etcd restores'), again: passed }], 530, [], true);
  expect(exitCode).toBe(0);
  expect(lines).toContain('passed only when run again, with nothing beside it:');
  expect(lines.join('\n')).toContain('Error: not within 60 s');
  expect(lines).not.toContain('failed:');
});

test('what fails again, or is skipped then, fails the suite', () => {
  const once = failed('a.test.ts > etcd restores');
  expect(verdict([{ ...once, again: { ...passed, exitCode: 1 } }], 530, [], true).exitCode).toBe(1);
  const skipping = { ...passed, tally: { passed: 1, failed: [], skipped: ['a.test.ts > etcd restores'] } };
  expect(verdict([{ ...once, again: skipping }], 530, [], true).exitCode).toBe(1);
});

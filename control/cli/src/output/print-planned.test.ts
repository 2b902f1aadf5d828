import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { printPlanned } from './print-planned.ts';

afterEach(() => void vi.restoreAllMocks());

const PLANNED: RunResult = { mode: 'plan', tasks: [], deletions: [], changed: 0, failed: 0, cancelled: false };

function exitCodeOf(result: RunResult): number {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return printPlanned({ verbosity: 0 }, { cluster: 'demo', specChanges: [], result }, { output: 'text' });
}

test('A plan that changes nothing is a success', () => {
  expect(exitCodeOf(PLANNED)).toBe(0);
});

test('A plan that was stopped before all was looked at is none', () => {
  expect(exitCodeOf({ ...PLANNED, cancelled: true })).toBe(1);
});

import type { Roll, Turn } from '@kopsctl/actions/rolling/roll.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { exitCodeOf, printRolling } from './print-rolling.ts';

afterEach(() => void vi.restoreAllMocks());

const turn = (step: Turn['step'], failure?: string): Turn => ({
  id: 'i-1',
  name: 'nodes-1',
  node: 'nodes-1',
  instanceGroup: 'nodes',
  role: 'Node',
  address: '10.0.0.11',
  why: 'its plan has changed',
  step,
  sinceMs: 0,
  standing: 'counted',
  passes: 0,
  ...(failure !== undefined && { failure }),
});

test.each<[string, Roll['state'], readonly Turn[], number]>([
  ['is done', 'done', [turn('done')], 0],
  ['is done, with a drain that nobody waited for', 'done', [turn('done', 'cannot drain nodes-1')], 0],
  ['is paused', 'paused', [turn('done'), turn('waiting')], 0],
  ['is aborted, and nothing is left', 'aborted', [turn('validate'), turn('waiting')], 0],
  ['is aborted, and a Node is left cordoned', 'aborted', [turn('validate', 'its Node is still cordoned')], 1],
  ['is aborted, and a machine has failed', 'aborted', [turn('failed', 'it may still be cordoned')], 1],
  ['is stopped', 'stopped', [turn('waiting')], 1],
  ['has failed', 'failed', [turn('failed', 'cannot drain nodes-1')], 1],
])('The exit code of a rolling update that %s', (_what, state, turns, code) => {
  expect(exitCodeOf({ state, turns: [...turns] })).toBe(code);
});

/** What a program reads where no machine is outdated. */
function documentOf(yes: boolean): string {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const rolling = { cluster: 'demo', groups: [], outdated: [] };
  expect(printRolling({ verbosity: 0 }, rolling, { yes, output: 'json' })).toBe(0);
  return said.join('');
}

test('A program that only looks gets a document', () => {
  expect(JSON.parse(documentOf(false))).toEqual({ cluster: 'demo', groups: [], outdated: [] });
});

test('A program that replaces machines gets events alone, none where nothing is to be replaced', () => {
  expect(documentOf(true)).toBe('');
});

import { afterEach, expect, test, vi } from 'vitest';
import { printError } from './print-error.ts';

afterEach(() => void vi.restoreAllMocks());

/** What a person is told, and the exit code. */
function told(thrown: unknown, verbosity = 0): { readonly text: string; readonly code: number } {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const code = printError(thrown, { path: ['plan'], verbosity });
  return { text: said.join(''), code };
}

test('A command that a person stops says so in one line', () => {
  const { reason } = AbortSignal.abort();
  expect(told(reason)).toEqual({
    text: 'Error: stopped before all was done; what was done so far stays\n',
    code: 1,
  });
});

test('-v tells where it was stopped', () => {
  const { reason } = AbortSignal.abort();
  expect(told(reason, 1).text).toMatch(/^Error: stopped .*\nbecause of: AbortError: /);
});

test('A defect shows where it is', () => {
  expect(told(new TypeError('x is undefined')).text).toMatch(/^Error: TypeError: x is undefined\n {4}at /);
});

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

test('A file that cannot be used is one line with what to do, and -v tells where it was used', () => {
  const why = "ENOENT: no such file or directory, open 'nosuch'";
  const thrown = Object.assign(new Error(why), { code: 'ENOENT', syscall: 'open', path: 'nosuch' });
  expect(told(thrown)).toEqual({
    text: `Error: cannot use nosuch: ${why}\nNext:  check the path, the permissions and the free space\n`,
    code: 1,
  });
  expect(told(thrown, 1).text).toMatch(/\nbecause of: Error: ENOENT: [^\n]*\n {4}at /);
});

test('What the operating system refuses without a path is one line too', () => {
  const thrown = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  expect(told(thrown).text).toBe(
    'Error: connect ECONNREFUSED 127.0.0.1:1\nNext:  repeat the command with -v 1: it also says where this happened\n',
  );
});

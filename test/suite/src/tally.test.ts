import { describe, expect, test } from 'vitest';
import { tally } from './tally.ts';
import { verdict } from './verdict.ts';

const passed = { status: 'passed', fullName: 'a peer answers' };
const skipped = { status: 'skipped', fullName: 'a peer answers in time' };
const file = (name: string, status: string, ...assertionResults: object[]) => ({
  name: `/repository/${name}`,
  status,
  assertionResults,
});
const tallyOf = (...testResults: object[]) => tally({ testResults }, '/repository');
const phase = (exitCode: number, ...testResults: object[]) => ({
  name: 'integration',
  seconds: 12.3,
  exitCode,
  load: 1.5,
  tally: tallyOf(...testResults),
});

describe('a tally', () => {
  test('names what failed and what was skipped', () => {
    const failed = { status: 'failed', fullName: 'a peer leaves', failureMessages: ['Error: never: it left'] };
    expect(tallyOf(file('a.test.ts', 'failed', passed, skipped, failed))).toEqual({
      passed: 1,
      failed: [{ name: 'a.test.ts > a peer leaves', why: 'Error: never: it left' }],
      skipped: ['a.test.ts > a peer answers in time'],
    });
  });

  test('counts a file that has left all of its tests out as skipped, and one that cannot be read as failed', () => {
    const unread = { ...file('b.test.ts', 'failed'), message: 'SyntaxError: Unexpected token' };
    expect(tallyOf(file('a.test.ts', 'passed'), unread)).toEqual({
      passed: 0,
      failed: [{ name: 'b.test.ts', why: 'SyntaxError: Unexpected token' }],
      skipped: ['a.test.ts'],
    });
  });

  test('counts a test that is to be written, or was not come to, as skipped', () => {
    const later = [
      { status: 'todo', fullName: 'x' },
      { status: 'pending', fullName: 'y' },
    ];
    expect(tallyOf(file('a.test.ts', 'passed', ...later)).skipped).toHaveLength(2);
  });

  test('is not made of anything else', () => {
    expect(() => tally({ testResults: [{ name: 'a' }] }, '/')).toThrow('not a report');
    expect(() => tally(null, '/')).toThrow('not a report');
  });
});

describe('the verdict', () => {
  test('lists what was skipped, and only CI fails for it', () => {
    const phases = [phase(0, file('a.test.ts', 'passed', passed, skipped))];
    expect(verdict(phases, 12, [], false)).toMatchObject({ exitCode: 0 });
    expect(verdict(phases, 12, [], false).lines).toContain('  a.test.ts > a peer answers in time');
    expect(verdict(phases, 12, [], true)).toMatchObject({ exitCode: 1 });
    expect(verdict(phases, 12, [], true).lines.at(-1)).toBe(
      'Error: CI must run every test, and some were skipped (see above)',
    );
  });

  test('says of the first failures why, in a few lines each', () => {
    const why = `Error: never: it left\n${'log\n'.repeat(100)}`;
    const failed = { status: 'failed', fullName: 'a peer leaves', failureMessages: [why] };
    const { lines } = verdict([phase(1, file('a.test.ts', 'failed', failed))], 12, [], false);
    expect(lines.slice(0, 2)).toEqual(['why a.test.ts > a peer leaves:', '  Error: never: it left']);
    expect(lines).toContain('  (72 lines left out)');
    expect(lines.at(-1)).toBe('Error: failed: integration');
  });

  test('counts each phase', () => {
    const { lines } = verdict([phase(0, file('a.test.ts', 'passed', passed, skipped))], 12, [], false);
    expect(lines.slice(0, 3)).toEqual([
      'phase           seconds     load   passed   failed  skipped',
      'integration          12      1.5        1        0        1',
      'all                  12                 1        0        1',
    ]);
  });

  test('is good where everything ran', () => {
    expect(verdict([phase(0, file('a.test.ts', 'passed', passed))], 12, [], true)).toMatchObject({ exitCode: 0 });
  });

  test('fails where a phase did, whatever its tests say', () => {
    expect(verdict([phase(1, file('a.test.ts', 'passed', passed))], 12, [], false)).toMatchObject({ exitCode: 1 });
  });

  test('says what could not be tried at all, and CI fails for that too', () => {
    const missing = ['The recorded cases of kops are not there.'];
    const phases = [phase(0, file('a.test.ts', 'passed', passed))];
    expect(verdict(phases, 12, missing, false)).toMatchObject({ exitCode: 0 });
    expect(verdict(phases, 12, missing, false).lines).toContain(missing[0]);
    expect(verdict(phases, 12, missing, true)).toMatchObject({ exitCode: 1 });
  });
});

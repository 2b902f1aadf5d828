import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { errorText, logLine, withErrorTexts } from './log-line.ts';

const line = (fields: Readonly<Record<string, unknown>>) => logLine({ subject: 'nodeup', message: 'done', fields });

test.each([
  ['a word stands as it is', { peer: 'b', count: 3, isLeader: true }, 'nodeup: done peer=b count=3 isLeader=true'],
  ['a text with spaces is quoted', { task: 'File/a b' }, 'nodeup: done task="File/a b"'],
  ['an empty text is seen', { zone: '' }, 'nodeup: done zone=""'],
  ['a text that looks like another field is quoted', { name: 'a=b' }, 'nodeup: done name="a=b"'],
  ['a list is joined', { nodes: ['a', 'b'] }, 'nodeup: done nodes=a,b'],
  ['a record is JSON', { range: { min: 1 } }, 'nodeup: done range="{\\"min\\":1}"'],
  ['letters of every language stay readable', { name: 'Zürich東京' }, 'nodeup: done name=Zürich東京'],
  ['a line end is escaped', { output: 'one\ntwo' }, 'nodeup: done output="one\\ntwo"'],
  ['a terminal sequence is escaped', { name: '\u001b[2J\u009b' }, 'nodeup: done name="\\u001b[2J\\u009b"'],
  ['reversed text is escaped', { name: 'a\u202eb' }, 'nodeup: done name="a\\u202eb"'],
])('%s', (_title, fields, expected) => {
  expect(line(fields)).toBe(expected);
});

test('whatever a field, its name, the message or the subject holds, a line stays one line of printable text', () => {
  const text = string({ unit: integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
  assert(
    property(text, text, text, text, (subject, message, name, value) => {
      expect(logLine({ subject, message, fields: { [name]: value } })).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a value that is too long for the journal is cut', () => {
  expect(line({ output: 'x'.repeat(100_000) })).toHaveLength('nodeup: done output='.length + 4096 + 1);
});

test('an error is the chain of its causes, without repeating what is quoted already', () => {
  const refused = new Error('connect ECONNREFUSED');
  expect(errorText(new Error('cannot list nodes', { cause: refused }))).toBe('cannot list nodes: connect ECONNREFUSED');
  expect(errorText(new Error('cannot list nodes: connect ECONNREFUSED', { cause: refused }))).toBe(
    'cannot list nodes: connect ECONNREFUSED',
  );
  expect(errorText(new AggregateError([refused, new Error('timeout')]))).toBe('connect ECONNREFUSED, timeout');
});

test('an error that is its own cause ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(withErrorTexts({ error })).toEqual({ error: 'round' });
});

test('what to do next comes from the error, unless a field says it', () => {
  const error = new ActionableError({ what: 'read a', why: 'no', next: 'look' });
  expect(withErrorTexts({ error })).toEqual({ error: 'cannot read a: no', next: 'look' });
  expect(withErrorTexts({ error: new Error('above', { cause: error }) })).toMatchObject({ next: 'look' });
  expect(withErrorTexts({ error, next: 'ask' })).toEqual({ error: 'cannot read a: no', next: 'ask' });
});

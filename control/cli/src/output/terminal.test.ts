import { afterEach, expect, test, vi } from 'vitest';
import { openTerminal } from './terminal.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 };
  const { writeOut, writeErr, writeDocument } = openTerminal(stream, stream);
  return { written, writeOut, writeErr, writeDocument };
}

test.each(['writeOut', 'writeErr'] as const)(
  '%s lets no escape sequence through, and keeps lines and columns',
  (how) => {
    for (const isTTY of [true, false]) {
      const { written, ...to } = terminal(isTTY);
      to[how]('node-1\tReady\n\u001b]0;title\u0007\u009b2J\u202etxet\rend\n');
      expect(written).toEqual(['node-1\tReady\n\ufffd]0;title\ufffd2J\ufffdtxet\ufffdend\n']);
    }
  },
);

test('a document for another program stays as it is, and on a terminal it is as any other text', () => {
  const text = '{ "content": "\u009b2J\u202e" }\n';
  const [piped, shown] = [terminal(false), terminal(true)];
  piped.writeDocument(text);
  shown.writeDocument(text);
  expect([...piped.written, ...shown.written]).toEqual([text, '{ "content": "\ufffd2J\ufffd" }\n']);
});

test('a bar stays below what is written, and goes without a trace', () => {
  const { written, stream } = recorded(true);
  const { writeErr, showBar } = openTerminal(stream, stream);
  showBar('1/2');
  writeErr('done\n');
  showBar('');
  writeErr('end\n');
  expect(written.join('')).toBe('1/2\r\u001b[Kdone\n1/2\r\u001b[Kend\n');
  const piped = recorded(false);
  openTerminal(piped.stream, piped.stream).showBar('1/2');
  expect(piped.written).toEqual([]);
});

test('a problem takes the bar away: what comes next begins a line', () => {
  const { written, stream } = recorded(true);
  vi.stubEnv('NO_COLOR', '1');
  const { writeErr, writeProblem, showBar } = openTerminal(stream, stream);
  showBar('3/9 files');
  writeProblem({ message: 'no', next: 'do' });
  writeErr('end\n');
  expect(written.join('')).toBe('3/9 files\r\u001b[KError: no\nNext:  do\nend\n');
});

test('with -o json results, notes and problems are objects of JSON, each in a line of its own', () => {
  const { written, stream } = recorded(false);
  const { narrateAsJson, writeErr, writeProblem, writeOut, writeResult, writePlan } = openTerminal(stream, stream);
  narrateAsJson(true);
  writeErr('Written. Next:\n  terraform init\n');
  writeErr('\n');
  writeOut('a\nb\n');
  writePlan('');
  writeResult({ message: 'Changed a', patch: '-1\n+2\n', details: { outcome: 'changed' } });
  writeProblem({ message: 'no', next: 'do', details: { exitCode: 1 } });
  expect(
    written
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { type: 'note', message: 'Written. Next:\n  terraform init' },
    { type: 'result', message: 'a\nb' },
    { type: 'result', message: 'Changed a', patch: '-1\n+2\n', outcome: 'changed' },
    { type: 'error', message: 'no', next: 'do', exitCode: 1 },
  ]);
});

test('for a person, a result is what is different, and then a sentence', () => {
  const { written, stream } = recorded(false);
  openTerminal(stream, stream).writeResult({
    message: 'Changed a',
    patch: '-1\n+2\n',
    details: { outcome: 'changed' },
  });
  expect(written.join('')).toBe('-1\n+2\nChanged a\n');
});

function recorded(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) > 0 } };
}

test.each([
  ['on a terminal', true, {}, true],
  ['for another program', false, {}, false],
  ['with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['with an empty NO_COLOR, which says nothing', true, { NO_COLOR: '' }, true],
  ['on a terminal that understands no colours', true, { TERM: 'dumb' }, false],
])('colours %s', (_where, isTTY, variables: Readonly<Record<string, string>>, isColoured) => {
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('TERM', 'xterm');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { written, stream } = recorded(isTTY);
  const { writePlan, writeDiff, writeProblem, writePainted } = openTerminal(stream, stream);
  writePlan('Will create:\n  Thing/a\n');
  writeDiff('-old\n+new\n');
  writePainted('Ready\n', (text) => `\u001b[32m${text}`);
  writeProblem({ message: 'no', next: 'do' });
  expect(written.map((text) => text.includes('\u001b['))).toEqual(Array.from({ length: 4 }, () => isColoured));
});

test('a terminal without cursor movements has no bar', () => {
  vi.stubEnv('TERM', 'dumb');
  const { written, stream } = recorded(true);
  openTerminal(stream, stream).showBar('1/2');
  expect(written).toEqual([]);
});

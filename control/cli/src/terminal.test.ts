import { expect, test } from 'vitest';
import { openTerminal } from './terminal.ts';

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

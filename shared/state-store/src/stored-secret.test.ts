import { expect, test } from 'vitest';
import { parseSecret, printSecret } from './stored-secret.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test("what is stored is read again, and is in kops's form", () => {
  const stored = printSecret(bytes('hunter2\n'));
  expect(stored).toBe('{"Data":"aHVudGVyMgo="}\n');
  expect(parseSecret(bytes(stored))?.toString('utf8')).toBe('hunter2\n');
});

test.each(['hunter2', '{"Data": 1}', '{}', 'null', '"Data"', ''])('%s is not a stored secret', (text) => {
  expect(parseSecret(bytes(text))).toBeUndefined();
});

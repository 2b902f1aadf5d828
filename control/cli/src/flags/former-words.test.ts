import { expect, test } from 'vitest';
import { nameAfterFormer } from './former-words.ts';

test.each([
  [[], undefined],
  [['admin'], undefined],
  [['demo.example.com'], 'demo.example.com'],
  [['admin', 'demo.example.com'], 'demo.example.com'],
])('%j names %s', (words, name) => {
  expect(nameAfterFormer('admin', words, 'cluster')).toBe(name);
});

test('none of several names is chosen', () => {
  expect(() => nameAfterFormer('admin', ['one.example.com', 'admin'], 'cluster')).toThrow(
    'there are several: one.example.com, admin',
  );
});

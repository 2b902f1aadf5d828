import { assert, json, property } from 'fast-check';
import { expect, test } from 'vitest';
import { differences } from './differences.ts';
import type { Json } from './task.ts';
import { unifiedDiff } from './unified-diff.ts';

test('differences name each field by its path', () => {
  const wanted = { b: { names: ['x', 'z', 'new'] }, a: 1, added: true };
  const actual = { a: 1, b: { names: ['x', 'y'] }, gone: null };
  expect(differences(wanted, actual)).toEqual([
    { path: 'added', to: true },
    { path: 'b.names[1]', from: 'y', to: 'z' },
    { path: 'b.names[2]', to: 'new' },
    { path: 'gone', from: null },
  ]);
});

test('equal values have no differences', () => {
  assert(
    property(json(), (text) => {
      const parse = (): Json => JSON.parse(text);
      expect(differences(parse(), parse())).toEqual([]);
    }),
  );
});

test('a unified diff reads like that of diff -u, and is empty for equal texts', () => {
  expect(unifiedDiff('/etc/hosts', 'a\nb\n', 'a\nb\n')).toBe('');
  expect(unifiedDiff('/etc/hosts', 'a\nb\n', 'a\nc\n')).toMatchInlineSnapshot(`
    "--- /etc/hosts
    +++ /etc/hosts
    @@ -1,2 +1,2 @@
     a
    -b
    +c
    "
  `);
});

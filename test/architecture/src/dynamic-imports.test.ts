import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { dynamicImports } from './dynamic-imports.ts';

test.each([
  ["const { a, b: c } = await import('x');", [{ from: 'x', names: ['a', 'b'] }]],
  ["const x = (await import('x')).a;", [{ from: 'x', names: ['a'] }]],
  ["import('x').then(({ a }) => a());", [{ from: 'x', names: ['a'] }]],
  [
    "const [{ a }, { b }] = await Promise.all([import('x'), import('y')]);",
    [
      { from: 'x', names: ['a'] },
      { from: 'y', names: ['b'] },
    ],
  ],
  ["const x = await import('x');", [{ from: 'x', names: 'all' }]],
  ["const { a, ...others } = await import('x');", [{ from: 'x', names: 'all' }]],
  ["import('x').catch(() => 0);", [{ from: 'x', names: 'all' }]],
  ["load(() => import('x'));", [{ from: 'x', names: 'all' }]],
  ['await import(path);', []],
])('%j takes %j', (text, expected) => {
  expect(dynamicImports(parseSync('some.ts', text).program)).toEqual(expected);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson } from './same-json.ts';
import { sortedJson } from './sorted-json.ts';

const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, '', 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', '1', '__proto__', 'constructor'),
      fc.oneof(tie('value'), fc.constant(undefined)),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;

test('values of plain data are the same if and only if their sorted JSON is', () => {
  fc.assert(
    fc.property(data, data, (one, other) => {
      expect(isSameJson(one, other)).toBe(sortedJson({ of: one }) === sortedJson({ of: other }));
    }),
    { numRuns: 2_000 },
  );
});

test('a copy is the same, whatever the order of its keys, until something in it changes', () => {
  const roll = { id: 'one', turns: [{ step: 'drain', since: 1 }], wish: undefined };
  expect(isSameJson(roll, { turns: [{ since: 1, step: 'drain' }], id: 'one' })).toBe(true);
  expect(isSameJson(roll, { ...roll, wish: 'pause' })).toBe(false);
  expect(isSameJson(roll, { ...roll, turns: [{ step: 'drain', since: 2 }] })).toBe(false);
  expect(isSameJson(undefined, {})).toBe(false);
});

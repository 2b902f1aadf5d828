import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedPaths, leavesOf } from './leaves.ts';

const { value: values } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c.d'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('x', 'y', 1, true),
    fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    fc.array(tie('object'), { maxLength: 2 }),
    tie('object'),
  ),
}));

test('the paths that changed are those of single values that are not as they were', () => {
  fc.assert(
    fc.property(values, values, (before, after) => {
      const old = new Map(leavesOf(before, 'spec').map(({ path, value }) => [path, JSON.stringify(value)]));
      const changed = leavesOf(after, 'spec').filter(({ path, value }) => old.get(path) !== JSON.stringify(value));
      expect(changedPaths(before, after, 'spec').toSorted()).toEqual(changed.map(({ path }) => path).toSorted());
    }),
    { numRuns: 1_000 },
  );
});

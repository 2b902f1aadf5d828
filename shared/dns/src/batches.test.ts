import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batches } from './batches.ts';

const limits = { maxCount: 5, maxSize: 20 };
const items = fc.array(fc.record({ count: fc.integer({ min: 1, max: 7 }), size: fc.integer({ min: 0, max: 25 }) }));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test('batches contain every item once, in order, and none is empty or too large', () => {
  fc.assert(
    fc.property(items, (all) => {
      const parts = batches(all, limits, (item) => item);
      expect(parts.flat()).toEqual(all);
      expect(parts.every((part) => part.length > 0)).toBe(true);
      const tooLarge = parts.filter(
        (part) => sum(part.map(({ count }) => count)) > 5 || sum(part.map(({ size }) => size)) > 20,
      );
      expect(tooLarge.every((part) => part.length === 1)).toBe(true);
    }),
  );
});

import { expect, test } from 'vitest';
import { fittingNames } from './fitting-names.ts';

test('names that begin as it was typed are offered, and no more than a person can read', () => {
  const names = Array.from({ length: 300 }, (_, index) => `i-${index}`);
  expect(fittingNames(names, 'i-')).toEqual(names.slice(0, 100));
  expect(fittingNames(names, 'i-299')).toEqual(['i-299']);
});

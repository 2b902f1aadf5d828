import { often } from '@kopsctl/test-suite/long.ts';
import { expect, test, vi } from 'vitest';
import { walkCloud } from './walk-cloud.ts';

// What is compared need not be readable, and YAML takes most of the time.
vi.mock('@kopsctl/spec/print.ts', () => ({ printObject: JSON.stringify, printObjects: JSON.stringify }));

/** CI has no time for all of them. */
const EVERY = often(10, 1);

test('every field acts in clusters of metal, is refused, or is told', async () => {
  const { silent, stale } = await walkCloud('metal', EVERY);
  expect(silent).toEqual([]);
  expect(stale).toEqual([]);
});

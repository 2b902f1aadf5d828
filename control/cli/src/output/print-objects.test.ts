import { expect, test } from 'vitest';
import { printed } from './print-objects.ts';

test('no objects are an empty list, in YAML as in JSON', async () => {
  expect(await printed([], 'json')).toBe('[]\n');
  expect(await printed([], 'yaml')).toBe('[]\n');
});

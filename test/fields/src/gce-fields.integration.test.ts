import { expect, test, vi } from 'vitest';
import { recorded, walkCloud } from './walk-cloud.ts';

// What is compared need not be readable, and YAML takes most of the time.
vi.mock('@kopsctl/spec/print.ts', () => ({ printObject: JSON.stringify, printObjects: JSON.stringify }));

test('every field acts in clusters of gce, is refused, or is told', async () => {
  const { silent, stale, quiet } = await walkCloud('gce');
  expect(silent).toEqual([]);
  expect(stale).toEqual([]);
  expect(quiet).toBe(recorded('gce', quiet));
}, 600_000);

import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { brokenPromise } from './run-seed.ts';

/** A single seed, to replay a failure: SIMULATION_SEED=17 npx vitest run --project integration simulation */
const ONLY = process.env['SIMULATION_SEED'];
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? often(10_000, 40_000));
/** Ten times what it takes. */
const LIMIT_MS = 60_000 + SEEDS * 300;

const seeds = ONLY === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(ONLY)];

test(
  'there is one cluster, with every acknowledged write, a restore happens once, and the cluster comes back, whatever is killed, paused or lost',
  async () => {
    for (const seed of seeds) expect(await brokenPromise(seed)).toBeUndefined();
  },
  LIMIT_MS,
);

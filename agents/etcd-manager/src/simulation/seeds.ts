import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { brokenPromise } from './run-seed.ts';

/** A single seed, to replay a failure: SIMULATION_SEED=17 npx vitest run --project integration simulation */
const ONLY = process.env['SIMULATION_SEED'];
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? often(10_000, 40_000));
/** Ten times what the longest takes. */
const LIMIT_MS = 60_000 + SEEDS * 1_000;

/** Registers the test of those seeds that are meant. Files run beside each other, so there is one for each kind. */
export function testSeeds(kind: string, isMeant: (seed: number) => boolean): void {
  const all = ONLY === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(ONLY)];
  const seeds = all.filter(isMeant);
  test.skipIf(seeds.length === 0)(
    `there is one cluster, with every acknowledged write, a restore happens once, and the cluster comes back, whatever is killed, paused or lost (${kind})`,
    async () => {
      for (const seed of seeds) expect(await brokenPromise(seed)).toBeUndefined();
    },
    LIMIT_MS,
  );
}

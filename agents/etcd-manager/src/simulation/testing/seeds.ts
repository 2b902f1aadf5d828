import { expect, test } from 'vitest';
import { brokenPromise } from '../run-seed.ts';

/** A single seed, to replay a failure: SIMULATION_SEED=17 npx vitest run --project unhurried etcd-manager/src/simulation */
const ONLY = process.env['SIMULATION_SEED'];
/** Longer lives: SIMULATION_STEPS=7500 SIMULATION_SEEDS=300 */
const STEPS = process.env['SIMULATION_STEPS'];
/** Ten times what the longest life takes. */
const LIMIT_MS = STEPS === undefined ? 1_000 : 60_000;

/** Registers the test of those of the first seeds that `isMeant` selects. Files run in parallel, so each kind has one. */
export function testSeeds(kind: string, count: number, isMeant: (seed: number) => boolean): void {
  const length = Number(process.env['SIMULATION_SEEDS'] ?? count);
  const all = ONLY === undefined ? Array.from({ length }, (_, index) => index + 1) : [Number(ONLY)];
  const life = STEPS === undefined ? undefined : Number(STEPS);
  const seeds = all.filter(isMeant);
  test.skipIf(seeds.length === 0)(
    `there is one cluster, with every acknowledged write, a restore happens once, and the cluster comes back, whatever is killed, paused or lost (${kind})`,
    async () => {
      for (const seed of seeds) expect(await brokenPromise(seed, life)).toBeUndefined();
    },
    60_000 + length * LIMIT_MS,
  );
}

import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { World } from './world.ts';

/** A single seed, to replay a failure: SIMULATION_SEED=17 npx vitest run --project integration simulation */
const ONLY = process.env['SIMULATION_SEED'];
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? often(10_000, 40_000));
const STEPS = 500;
/** Ten times what it takes. */
const LIMIT_MS = 60_000 + SEEDS * 80;

const seeds = ONLY === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(ONLY)];

/** Runs one seed. Resolves with what was broken, and what led to it. */
async function broken(seed: number): Promise<string | undefined> {
  const founders = seed % 2 === 0 ? ['a'] : ['a', 'b', 'c'];
  const world = new World(seed, founders, ['a', 'b', 'c']);
  try {
    await world.run(STEPS);
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${String(error)}\n${world.schedule.trace.slice(-80).join('\n')}`;
  }
}

test(
  'there is one cluster, and it has every acknowledged write, whatever is killed, paused or lost, and it comes back',
  async () => {
    for (const seed of seeds) expect(await broken(seed)).toBeUndefined();
  },
  LIMIT_MS,
);

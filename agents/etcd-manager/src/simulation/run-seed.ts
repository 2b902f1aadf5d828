import { World, type Beginning } from './world.ts';

/** Enough for several restores, and for leaders that are paused for longer than a lease. */
export const LONG_LIFE = 1_500;
/** Enough for a cluster to form, to grow, and to meet some harm while it does. */
const SHORT_LIFE = 150;
const BEGINNINGS: readonly Beginning[] = ['one member', 'three members', 'formed by kops'];

/** One life in ten is a long one. */
export function isLong(seed: number): boolean {
  return seed % 10 === 0;
}

/** Runs one seed. Resolves with the promise that was broken, and what led to it; undefined if all were kept. */
export async function brokenPromise(
  seed: number,
  steps = isLong(seed) ? LONG_LIFE : SHORT_LIFE,
): Promise<string | undefined> {
  const world = new World(seed, BEGINNINGS[seed % BEGINNINGS.length] ?? 'one member');
  try {
    await world.run(steps);
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${String(error)}\n${world.trace.slice(-80).join('\n')}`;
  }
}

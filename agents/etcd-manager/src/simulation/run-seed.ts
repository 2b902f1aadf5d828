import { World, type Beginning } from './world.ts';

const STEPS = Number(process.env['SIMULATION_STEPS'] ?? 1_500);
const BEGINNINGS: readonly Beginning[] = ['one member', 'three members', 'formed by kops'];

/** Runs one seed. Resolves with the promise that was broken, and what led to it; undefined if all were kept. */
export async function brokenPromise(seed: number): Promise<string | undefined> {
  const world = new World(seed, BEGINNINGS[seed % BEGINNINGS.length] ?? 'one member');
  try {
    await world.run(STEPS);
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${String(error)}\n${world.trace.slice(-80).join('\n')}`;
  }
}

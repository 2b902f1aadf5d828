import { TALES, type Tale } from './tales.ts';
import { World, type Beginning } from './world.ts';

/** What a seed is used for: this many steps with harm, or a tale. */
export type Life = number | Tale;

/** Enough for several restores, and for leaders that are paused for longer than a lease. */
export const LONG_LIFE = 1_500;
/** Enough for a cluster to form, to grow, and to meet some harm while it does. */
const SHORT_LIFE = 150;
const BEGINNINGS: readonly Beginning[] = ['one member', 'three members', 'formed by kops'];

/** One life in two hundred is a long one, which takes ten times as long, and each of the tales is as frequent. */
function lifeOf(seed: number): Life {
  const lives: Readonly<Record<number, Life>> = {
    0: LONG_LIFE,
    50: 'a leader wakes after a restore',
    75: 'all that take part in a restore are lost',
    100: 'restored data is lost',
    110: 'the quorum is lost while a restored etcd starts',
    150: 'kops has formed a cluster, and a disk is lost',
    125: 'the record of a restore is removed',
    175: 'a restore of what is there',
  };
  return lives[seed % 200] ?? SHORT_LIFE;
}

export function isShort(seed: number): boolean {
  return lifeOf(seed) === SHORT_LIFE;
}

/** Runs one seed. Resolves with the promise that was broken, and what led to it; undefined if all were kept. */
export async function brokenPromise(seed: number, life = lifeOf(seed)): Promise<string | undefined> {
  const isTale = typeof life === 'string';
  const beginning = isTale ? TALES[life].beginning : (BEGINNINGS[seed % BEGINNINGS.length] ?? 'one member');
  const world = new World(seed, beginning);
  try {
    await (isTale ? world.tell(life) : world.run(life));
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${String(error)}\n${world.trace.slice(-80).join('\n')}`;
  }
}

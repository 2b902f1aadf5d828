import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { GossipLog } from './gossip-log.ts';
import type { Endpoint } from './swim/effects.ts';

/** Alone, a peer looks for others at this pace, growing to the longer one. */
const ALONE_MS = { first: 500, last: 10_000 };
/** Who was cut off for so long that each side forgot the other is found again by the seeds. */
const TOGETHER_MS = 60_000;
/** Who failed is tried again, one at a time at this pace: it asks nobody for seeds, and finds the other side of a partition. */
const LOST_MS = 5000;
/** Asked at one time; each tells of all the others, so more would only be load. */
const SEEDS_AT_ONCE = 3;

export interface Joining {
  readonly self: Endpoint;
  readonly seeds: () => Promise<readonly Endpoint[]>;
  readonly members: () => readonly Endpoint[];
  /** Tells whether it came to an exchange of states. */
  readonly join: (to: Endpoint) => Promise<boolean>;
  readonly log: GossipLog;
  readonly signal: AbortSignal;
}

export interface Looking extends Pick<Joining, 'join' | 'signal'> {
  /** Where those were who failed and have not been seen since. */
  readonly lost: () => readonly Endpoint[];
}

/** Joins the seeds, and again those who are seeds and not members, for as long as the peer lives. Never rejects. */
export async function keepJoined({ self, seeds, members, join, log, signal }: Joining): Promise<void> {
  let aloneMs = ALONE_MS.first;
  while (!signal.aborted) {
    try {
      await joinStrangers(strangers(await seeds(), [self, ...members()]), join);
    } catch (error) {
      log.warn(`cannot find out whom to join: ${messageOf(error)}`);
    }
    const isAlone = members().length <= 1;
    if (!isAlone) aloneMs = ALONE_MS.first;
    const waitMs = isAlone ? aloneMs : TOGETHER_MS;
    aloneMs = Math.min(aloneMs * 2, ALONE_MS.last);
    // Ends early, and quietly, when the peer closes.
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Tries those again who failed, for as long as the peer lives. Never rejects. */
export async function keepLooking({ lost, join, signal }: Looking): Promise<void> {
  while (!signal.aborted) {
    const candidates = lost();
    const one = candidates[Math.floor(Math.random() * candidates.length)];
    if (one !== undefined) await join(one);
    await pause(LOST_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** One exchange brings all whom the other knows, so whoever is known by then is no stranger any more. */
async function joinStrangers(wanted: readonly Endpoint[], join: Joining['join']): Promise<void> {
  for (let from = 0; from < wanted.length; from += SEEDS_AT_ONCE) {
    const joined = await Promise.all(wanted.slice(from, from + SEEDS_AT_ONCE).map(join));
    if (joined.some(Boolean)) return;
  }
}

function strangers(seeds: readonly Endpoint[], known: readonly Endpoint[]): readonly Endpoint[] {
  return seeds.filter((seed) => !known.some(({ address, port }) => seed.address === address && seed.port === port));
}

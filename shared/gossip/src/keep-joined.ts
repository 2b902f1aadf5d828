import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { GossipLog } from './gossip-log.ts';
import type { Endpoint } from './swim/effects.ts';

/** Alone, a peer looks for others at this pace, growing to the longer one. */
const ALONE_MS = { first: 500, last: 10_000 };
/** Seeds that are no members are tried at this pace: they may know nobody to join, or be on the other side of a cut. */
const TOGETHER_MS = 2000;
/** Who failed is tried again, one at a time at this pace: it asks nobody for seeds, and finds the other side of a partition. */
const LOST_MS = 5000;
/** Asked at one time while alone; each tells of all the others, so more would only be load. */
const SEEDS_AT_ONCE = 3;
/** Tried at one time by who has others: machines that still boot answer nothing, and keep nobody waiting who does. */
const STRANGERS_AT_ONCE = 64;

export interface Joining {
  readonly self: Endpoint;
  readonly seeds: () => Promise<readonly Endpoint[]>;
  readonly members: () => readonly Endpoint[];
  /** Tells whether it came to an exchange of states. */
  readonly join: (to: Endpoint) => Promise<boolean>;
  /** The same, where no answer is nothing to speak of. */
  readonly tryToJoin: (to: Endpoint) => Promise<boolean>;
  readonly log: GossipLog;
  readonly signal: AbortSignal;
}

export interface Looking extends Pick<Joining, 'tryToJoin' | 'signal'> {
  /** Where those were who failed and have not been seen since. */
  readonly lost: () => readonly Endpoint[];
}

/**
 * Joins by the seeds while alone, and from then on takes in each seed that is no member, for as long as the peer lives.
 * Never rejects.
 */
export async function keepJoined({ self, seeds, members, join, tryToJoin, log, signal }: Joining): Promise<void> {
  const isAlone = (): boolean => members().length <= 1;
  const strangers = (found: readonly Endpoint[]) => unknown(found, [self, ...members()]);
  let aloneMs = ALONE_MS.first;
  while (!signal.aborted) {
    try {
      const found = await seeds();
      if (isAlone()) await joinOne(strangers(found), join);
      else await Promise.all(sample(strangers(found), STRANGERS_AT_ONCE).map(tryToJoin));
    } catch (error) {
      log.warn(`cannot find out whom to join: ${messageOf(error)}`);
    }
    const waitMs = isAlone() ? aloneMs : TOGETHER_MS;
    aloneMs = isAlone() ? Math.min(aloneMs * 2, ALONE_MS.last) : ALONE_MS.first;
    // Ends early, and quietly, when the peer closes.
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Tries those again who failed, for as long as the peer lives. Never rejects. */
export async function keepLooking({ lost, tryToJoin, signal }: Looking): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(sample(lost(), 1).map(tryToJoin));
    await pause(LOST_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** One exchange brings all whom the other knows. */
async function joinOne(wanted: readonly Endpoint[], join: Joining['join']): Promise<void> {
  for (let from = 0; from < wanted.length; from += SEEDS_AT_ONCE) {
    const joined = await Promise.all(wanted.slice(from, from + SEEDS_AT_ONCE).map(join));
    if (joined.some(Boolean)) return;
  }
}

function unknown(seeds: readonly Endpoint[], known: readonly Endpoint[]): readonly Endpoint[] {
  const at = ({ address, port }: Endpoint): string => `${address} ${port}`;
  const all = new Set(known.map(at));
  return seeds.filter((seed) => !all.has(at(seed)));
}

/** Some of them, by chance, so that none is left out for good. */
function sample(from: readonly Endpoint[], count: number): readonly Endpoint[] {
  if (from.length <= count) return from;
  return from
    .map((one) => ({ one, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

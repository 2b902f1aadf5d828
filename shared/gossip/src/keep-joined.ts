import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { GossipLog } from './gossip-log.ts';
import type { Endpoint } from './swim/effects.ts';

/** Alone, a peer looks for others at this pace, growing to the longer one. */
const ALONE_MS = { first: 500, last: 2000 };
/** Seeds that are no members are tried at this pace: they may know nobody to join, or be on the other side of a cut. */
const TOGETHER_MS = 2000;
/** Who failed is tried again, one at a time at this pace: it asks nobody for seeds, and finds the other side of a partition. */
const LOST_MS = 5000;
/** Asked at one time while alone; each tells of all the others, so many more would only be load. */
const SEEDS_AT_ONCE = 16;
/** Tried at one time by who has others: some machines still boot, or accept and say nothing, and take their time. */
const STRANGERS_AT_ONCE = 64;

export interface Joining {
  readonly self: Endpoint;
  readonly seeds: () => Promise<readonly Endpoint[]>;
  readonly members: () => readonly Endpoint[];
  /** Becomes a member by one who is; tells it where there is no answer. Never rejects. */
  readonly join: (to: Endpoint) => Promise<void>;
  /** Makes one more member of who may know nobody; that it does not answer is nothing to speak of. Never rejects. */
  readonly takeIn: (one: Endpoint) => Promise<void>;
  readonly log: GossipLog;
  readonly signal: AbortSignal;
}

export interface Looking extends Pick<Joining, 'signal'> {
  /** Joins whoever is there again; that it is not is nothing to speak of. Never rejects. */
  readonly joinAgain: (to: Endpoint) => Promise<void>;
  /** Where those were who failed and have not been seen since. */
  readonly lost: () => readonly Endpoint[];
}

/**
 * Joins by the seeds while alone, and from then on takes in each seed that is no member, for as long as the peer lives.
 * Never rejects.
 */
export async function keepJoined({ self, seeds, members, join, takeIn, log, signal }: Joining): Promise<void> {
  const isAlone = (): boolean => members().length <= 1;
  const underWay = new Set<string>();
  const begin = async (one: Endpoint, how: (to: Endpoint) => Promise<void>): Promise<void> => {
    underWay.add(keyOf(one));
    await how(one);
    underWay.delete(keyOf(one));
  };
  let isFirst = true;
  let aloneMs = ALONE_MS.first;
  while (!signal.aborted) {
    try {
      const idle = without(await seeds(), [self, ...members()]).filter((one) => !underWay.has(keyOf(one)));
      const [width, how] = isAlone() ? [SEEDS_AT_ONCE, join] : [STRANGERS_AT_ONCE, takeIn];
      // The seeds to be preferred come first. Later nobody shall be left out because those before do not answer.
      const chosen: readonly Endpoint[] = isFirst
        ? idle.slice(0, width)
        : sample(idle, Math.max(0, width - underWay.size));
      isFirst &&= chosen.length === 0;
      // Nobody is waited for: who answers slowly shall not keep the others.
      for (const one of chosen) void begin(one, how);
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
export async function keepLooking({ lost, joinAgain, signal }: Looking): Promise<void> {
  while (!signal.aborted) {
    for (const one of sample(lost(), 1)) await joinAgain(one);
    await pause(LOST_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function without(seeds: readonly Endpoint[], known: readonly Endpoint[]): readonly Endpoint[] {
  const all = new Set(known.map(keyOf));
  return seeds.filter((seed) => !all.has(keyOf(seed)));
}

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`;

/** Some of them, by chance, so that none is left out for good. */
function sample(from: readonly Endpoint[], count: number): readonly Endpoint[] {
  if (from.length <= count) return from;
  return from
    .map((one) => ({ one, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

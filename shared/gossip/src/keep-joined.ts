import { setTimeout as pause } from 'node:timers/promises';
import type { GossipLog } from './gossip-log.ts';
import { sample } from './sample.ts';
import type { Endpoint } from './swim/endpoint.ts';

/** A peer that is alone tries its seeds at this interval, which grows from the first to the last. */
const ALONE_MS = { first: 500, last: 2000 };
/**
 * The interval at which a member tries the seeds that are not members: they may know no peer to join, or be on the
 * other side of a partition.
 */
const TOGETHER_MS = 2000;
/**
 * The interval at which a failed member is tried, one at a time. This finds the other side of a partition without the
 * seeds.
 */
const LOST_MS = 5000;
/** Seeds asked at one time while alone. Each of them returns the whole cluster, so asking more would only add load. */
const SEEDS_AT_ONCE = 16;
/**
 * Seeds tried at one time by a peer that has joined. Machines that still boot, or accept a connection and send nothing,
 * take long to fail.
 */
const STRANGERS_AT_ONCE = 64;

export interface Joining {
  readonly self: Endpoint;
  readonly seeds: () => Promise<readonly Endpoint[]>;
  readonly members: () => readonly Endpoint[];
  /** Joins the cluster through a member. Logs a failure; never rejects. */
  readonly join: (to: Endpoint) => Promise<void>;
  /** Brings in a peer that may know no other. A failure is expected and not logged; never rejects. */
  readonly takeIn: (one: Endpoint) => Promise<void>;
  readonly log: GossipLog;
  readonly signal: AbortSignal;
}

export interface Looking extends Pick<Joining, 'signal'> {
  /** Joins through a peer that failed earlier. A failure is expected and not logged; never rejects. */
  readonly joinAgain: (to: Endpoint) => Promise<void>;
  /** The addresses of the members that failed and have not come back. */
  readonly lost: () => readonly Endpoint[];
}

/**
 * Joins through the seeds while the peer is alone. After that it brings in each seed that is not a member. Runs until
 * the signal aborts; never rejects.
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
      // The first attempt takes the preferred seeds, which come first in the list. Later attempts choose at random, so
      // that seeds that do not answer cannot keep out the others.
      const chosen: readonly Endpoint[] = isFirst
        ? idle.slice(0, width)
        : sample(idle, Math.max(0, width - underWay.size));
      isFirst &&= chosen.length === 0;
      // Not awaited: a seed that answers slowly must not delay the others.
      for (const one of chosen) void begin(one, how);
    } catch (error) {
      log.warn('cannot list the seeds', { error });
    }
    const waitMs = isAlone() ? aloneMs : TOGETHER_MS;
    aloneMs = isAlone() ? Math.min(aloneMs * 2, ALONE_MS.last) : ALONE_MS.first;
    // The pause ends early when the peer closes.
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Tries the failed members again. Runs until the signal aborts; never rejects. */
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

import { Refusal } from '../wire/refusal.ts';
import type { GossipRecord, Stamp } from './record.ts';

/** Clocks of machines differ by less; with a larger difference, certificates and leases fail as well. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/**
 * Whether a stamp is so far ahead of the time of day that no peer with a correct clock has made it. It would outdate
 * everything that its owner writes until then.
 */
export function isAhead(stamp: Stamp, nowMs: number): boolean {
  return stamp.ms > nowMs + MAX_AHEAD_MS;
}

/** Why a record is refused, if its stamp is ahead. */
export function aheadRefusal({ owner, name, stamp }: GossipRecord, nowMs: number): Refusal | undefined {
  if (!isAhead(stamp, nowMs)) return undefined;
  const seconds = Math.round((stamp.ms - nowMs) / 1000);
  return new Refusal('out-of-bounds', `${owner} dates ${name} ${seconds} s ahead of this machine's clock`);
}

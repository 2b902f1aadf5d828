import type { GossipKey } from './gossip-keys.ts';
import { type Fingerprint, fingerprintOf } from './key-holders.ts';

/**
 * A quarter of the 2^32 messages after which a repeated nonce becomes likelier than 2^-32 (NIST SP 800-38D, section
 * 8.3). The other three quarters are time for all machines to get the next key.
 */
const RENEW_AT_MESSAGES = 2 ** 30;
/** Somebody has to look after the machines that do not get the next key. */
const WARN_AT_MESSAGES = 2 ** 31;
/** Both keys decrypt for at least this long after the change: a machine may have been away. */
const RETIRE_AFTER_MS = 60 * 60 * 1000;
/** A peer that has just started sends more than it does later. */
const MEASURE_FOR_MS = 10 * 60 * 1000;

/** What is known of a ring. */
export interface RingUse {
  /** What this machine has encrypted with the first key. */
  readonly messages: number;
  readonly forMs: number;
  /** All members, this machine among them, and the keys they hold. */
  readonly members: readonly { readonly name: string; readonly keys: readonly Fingerprint[] }[];
}

export type KeysStep =
  | { readonly action: 'wait'; readonly warning?: string }
  | {
      /** What the next write does: `date` the only key, or let a new key decrypt, encrypt, or be the only one. */
      readonly action: 'date' | 'introduce' | 'promote' | 'retire';
      readonly keys: readonly GossipKey[];
    };

/**
 * Decides how the keys of a ring change next. A new key first only decrypts; once every member says that it holds it, it
 * encrypts; once every member encrypts with it, the old one goes. So no change cuts a member off. One that cannot get
 * the new key holds the change up, with a warning: to lose machines at once would be worse than a nonce that might
 * repeat.
 */
export function planGossipKeys(
  keys: readonly GossipKey[],
  ring: RingUse,
  freshKey: Uint8Array,
  nowMs: number,
): KeysStep {
  const [first, second] = keys;
  if (first === undefined) throw new Error('a ring has at least one key');
  if (first.sinceMs === undefined) return { action: 'date', keys: [{ ...first, sinceMs: nowMs }, ...keys.slice(1)] };
  const messages = estimatedMessages(first.sinceMs, ring, nowMs);
  if (second === undefined) {
    if (messages < RENEW_AT_MESSAGES) return { action: 'wait' };
    return { action: 'introduce', keys: [first, { key: freshKey, sinceMs: nowMs }] };
  }
  // Whichever came to its place later is the new one; a key that a person added has no date.
  const isIntroduced = second.sinceMs === undefined || second.sinceMs > first.sinceMs;
  if (isIntroduced) {
    const without = membersWithout(ring, ({ keys: held }) => held.includes(fingerprintOf(second)));
    if (without.length > 0) return waitFor(without, messages);
    const promoted = [{ ...second, sinceMs: nowMs }, { ...first, sinceMs: nowMs }, ...keys.slice(2)];
    return { action: 'promote', keys: promoted };
  }
  const without = membersWithout(ring, ({ keys: held }) => held[0] === fingerprintOf(first));
  if (without.length > 0 || nowMs - first.sinceMs < RETIRE_AFTER_MS) return { action: 'wait' };
  return { action: 'retire', keys: [first] };
}

/** Other members send about as much as this one. */
function estimatedMessages(sinceMs: number, { messages, forMs, members }: RingUse, nowMs: number): number {
  if (forMs < MEASURE_FOR_MS) return 0;
  return (messages / forMs) * members.length * Math.max(0, nowMs - sinceMs);
}

function membersWithout({ members }: RingUse, has: (member: RingUse['members'][number]) => boolean): readonly string[] {
  return members.filter((member) => !has(member)).map(({ name }) => name);
}

function waitFor(without: readonly string[], messages: number): KeysStep {
  if (messages < WARN_AT_MESSAGES) return { action: 'wait' };
  const shown = without.slice(0, 5).join(', ');
  return { action: 'wait', warning: `${without.length} machines have not got the next key, among them ${shown}` };
}

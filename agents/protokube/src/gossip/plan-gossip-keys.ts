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
/**
 * A key that a revoked machine holds is changed in steps of at most this length, even if machines lack the next one: control
 * planes read the secret every five minutes, and an authority calls every other machine as often. A machine that could not be
 * reached is out of the ring until it has the key, which it gets without the ring.
 */
const URGENT_AFTER_MS = 15 * 60 * 1000;
/** How far clocks of persons and of control planes may differ: a key made sooner after a mark may be older than it. */
const MARGIN_MS = 5 * 60 * 1000;
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

/** Machines that a person has revoked. They get no key any more, and keep the keys that they have. */
export interface Revocations {
  readonly nodes: ReadonlySet<string>;
  /** When the last of them was revoked; undefined if there is none. */
  readonly lastMs: number | undefined;
}

const NO_REVOCATIONS: Revocations = { nodes: new Set(), lastMs: undefined };

export type KeysStep =
  | { readonly action: 'wait'; readonly warning?: string }
  | {
      /** What the next write does: `date` the only key, or let a new key decrypt, encrypt, or be the only one. */
      readonly action: 'date' | 'introduce' | 'promote' | 'retire';
      readonly keys: readonly GossipKey[];
      /** Members that are left out of the ring until they have the key that now encrypts. */
      readonly without?: readonly string[];
    };

/**
 * Decides how the keys of a ring change next. A new key first only decrypts; once every member says that it holds it, it
 * encrypts; once every member encrypts with it, the old one goes. So no change cuts a member off. A member that cannot
 * get the new key holds up the change, with a warning: losing machines at once would be worse than a nonce that might
 * repeat. A key that a revoked machine holds is changed too, and nobody holds that up for long.
 */
export function planGossipKeys(
  keys: readonly GossipKey[],
  ring: RingUse,
  freshKey: Uint8Array,
  nowMs: number,
  revocations: Revocations = NO_REVOCATIONS,
): KeysStep {
  const [first, second, ...others] = keys;
  if (first === undefined) throw new Error('a ring has at least one key');
  const { nodes, lastMs = Number.NEGATIVE_INFINITY } = revocations;
  if (first.sinceMs === undefined) {
    // It may be older than a mark that is there.
    const sinceMs = Number.isFinite(lastMs) ? Math.min(nowMs, lastMs) : nowMs;
    return { action: 'date', keys: [{ ...first, sinceMs }, ...keys.slice(1)] };
  }
  // The same is assumed of a key that was made so soon after a mark that the clocks may mislead.
  const isStolen = ({ sinceMs = nowMs }: GossipKey): boolean => sinceMs <= lastMs + MARGIN_MS;
  const introduce = (after: readonly GossipKey[]): KeysStep => ({
    action: 'introduce',
    keys: [first, { key: freshKey, sinceMs: nowMs }, ...after],
  });
  const mayIntroduce = nowMs > lastMs + MARGIN_MS;
  const honest = { ...ring, members: ring.members.filter(({ name }) => !nodes.has(name)) };
  const messages = estimatedMessages(first.sinceMs, ring, nowMs);
  if (second === undefined) {
    if (isStolen(first)) return mayIntroduce ? introduce([]) : { action: 'wait' };
    return messages < RENEW_AT_MESSAGES ? { action: 'wait' } : introduce([]);
  }
  // The key that came to its place later is the new one; a key that a person added has no date.
  const isIntroduced = second.sinceMs === undefined || second.sinceMs > first.sinceMs;
  if (isIntroduced) {
    // The revoked machine may have got it too. Nobody encrypts with it yet, so another one takes its place.
    if (second.sinceMs !== undefined && isStolen(second)) return mayIntroduce ? introduce(others) : { action: 'wait' };
    const without = membersWithout(honest, ({ keys: held }) => held.includes(fingerprintOf(second)));
    const promoted = { action: 'promote', keys: [{ ...second, sinceMs: nowMs }, first, ...others] } as const;
    if (without.length === 0) return promoted;
    if (!isStolen(first)) return waitFor(without, messages);
    // How long it has been there decides from now on.
    if (second.sinceMs === undefined)
      return { action: 'date', keys: [first, { ...second, sinceMs: nowMs }, ...others] };
    return nowMs - second.sinceMs < URGENT_AFTER_MS ? { action: 'wait' } : { ...promoted, without };
  }
  if (isStolen(first)) return mayIntroduce ? introduce([second, ...others]) : { action: 'wait' };
  const without = membersWithout(honest, ({ keys: held }) => held[0] === fingerprintOf(first));
  const promotedForMs = nowMs - first.sinceMs;
  const isDue = isStolen(second)
    ? promotedForMs >= URGENT_AFTER_MS
    : without.length === 0 && promotedForMs >= RETIRE_AFTER_MS;
  return isDue ? { action: 'retire', keys: [first] } : { action: 'wait' };
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
  return { action: 'wait', warning: `${without.length} machines do not have the next key yet, among them ${shown}` };
}

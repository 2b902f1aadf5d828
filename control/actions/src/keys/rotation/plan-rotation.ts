import { pendingPair } from '@kopsctl/pki/keyset-changes.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import type { Asked } from '../../rolling/asked.ts';

/** The checkpoints of a rotation, in their order. What a checkpoint names is not complete yet. */
export const ROTATION_PHASES = [
  'create',
  'roll-trust',
  'promote',
  'roll-signing',
  'refresh-tokens',
  'distrust',
  'roll-distrust',
  'done',
] as const;
export type RotationPhase = (typeof ROTATION_PHASES)[number];

/** How far a rotation of all keysets is. */
export interface Rotation {
  readonly phase: RotationPhase;
  /** When the phase began, in ms since 1970; `refresh-tokens` by the API server's clock. */
  readonly sinceMs: number;
  /** By name: the pair that signed when the rotation began, and the one that is to sign, once it is made. */
  readonly keysets: Readonly<Record<string, { readonly from: string; readonly to?: string }>>;
  /** How machines are rolled meanwhile, as a person asked for it. Absent in journals of former versions. */
  readonly manner?: Asked;
  /** At the end: whether a person was told. Until then, anyone who asks for a rotation asks for this one, as far as they know. */
  readonly isTold?: boolean;
}

/** Which machines have not seen the newest state of the keysets that they use. */
export interface RotationFacts {
  readonly keysets: readonly Keyset[];
  readonly machinesBehind: readonly string[];
}

export type RotationStep =
  /** Make a new pair of each, which all machines are to trust. */
  | { readonly action: 'create'; readonly keysets: readonly string[] }
  /** Let the new pair of each sign. */
  | { readonly action: 'promote'; readonly pairs: Readonly<Record<string, string>> }
  | { readonly action: 'distrust'; readonly keysets: readonly string[] }
  /** Replace these machines, or have them converge on their new plans. */
  | { readonly action: 'roll'; readonly machines: readonly string[] }
  | { readonly action: 'wait'; readonly untilMs: number }
  /** Note that the phase is complete, or that it begins again. */
  | { readonly action: 'advance'; readonly rotation: Rotation }
  | { readonly action: 'nothing' };

/**
 * Service-account tokens of pods live for an hour, and kubelet replaces them well before (Kubernetes, TokenRequest): an
 * hour after the last API server began to sign with the new key, no pod uses a token of the old one.
 */
const TOKEN_LIFETIME_MS = 61 * 60_000;

/**
 * Whether the next step is right only by a clock that is: from here on, the time decides when old tokens are no longer trusted. While
 * machines are to be rolled, it does not, and perhaps nobody can be asked. Pure.
 */
export const needsRightTime = (rotation: Rotation, { machinesBehind }: RotationFacts): boolean =>
  changesTokens(rotation) &&
  (rotation.phase === 'refresh-tokens' || (rotation.phase === 'roll-signing' && machinesBehind.length === 0));

const changesTokens = ({ keysets }: Rotation): boolean => keysets['service-account'] !== undefined;

/**
 * Decides the next step of a rotation. Invariant: whatever machines have been rolled and whatever machines have not, each
 * trusts the authority of every certificate and the key of every token that another one uses. So a pair signs only once
 * every machine trusts it, and loses its trust only once nothing uses what it has signed. Pure.
 *
 * @param nowMs by a clock that is right, where `needsRightTime`
 */
export function planRotation(
  rotation: Rotation,
  { keysets, machinesBehind }: RotationFacts,
  nowMs: number,
): RotationStep {
  const own = keysets.filter(({ name }) => rotation.keysets[name] !== undefined);
  const advance = (changes: Partial<Rotation> = {}): RotationStep => {
    const next = ROTATION_PHASES[ROTATION_PHASES.indexOf(rotation.phase) + 1] ?? 'done';
    return { action: 'advance', rotation: { ...rotation, ...changes, phase: next, sinceMs: nowMs } };
  };
  const rollThen = (): RotationStep =>
    machinesBehind.length > 0 ? { action: 'roll', machines: machinesBehind } : advance();
  switch (rotation.phase) {
    case 'create': {
      const lacking = own.filter((keyset) => pendingPair(keyset) === undefined).map(({ name }) => name);
      if (lacking.length > 0) return { action: 'create', keysets: lacking };
      return advance({ keysets: Object.fromEntries(own.map((keyset) => [keyset.name, pairOf(keyset)])) });
    }
    case 'promote': {
      const pairs = own.flatMap(({ name, primaryId }) => {
        const to = rotation.keysets[name]?.to;
        return to === undefined || to === primaryId ? [] : [[name, to] as const];
      });
      return pairs.length > 0 ? { action: 'promote', pairs: Object.fromEntries(pairs) } : advance();
    }
    case 'refresh-tokens': {
      if (!changesTokens(rotation)) return advance();
      // The clock by which the wait began was ahead, by hours or years: nobody knows how long ago that was.
      if (nowMs < rotation.sinceMs) return { action: 'advance', rotation: { ...rotation, sinceMs: nowMs } };
      const untilMs = rotation.sinceMs + TOKEN_LIFETIME_MS;
      return nowMs < untilMs ? { action: 'wait', untilMs } : advance();
    }
    case 'distrust': {
      const trusting = own.filter(({ name, items }) =>
        items.some(({ id, distrustedMs }) => id === rotation.keysets[name]?.from && distrustedMs === undefined),
      );
      return trusting.length > 0 ? { action: 'distrust', keysets: trusting.map(({ name }) => name) } : advance();
    }
    case 'roll-trust':
    case 'roll-signing':
    case 'roll-distrust':
      return rollThen();
    case 'done':
      return { action: 'nothing' };
  }
}

function pairOf(keyset: Keyset): { readonly from: string; readonly to?: string } {
  const to = pendingPair(keyset)?.id;
  return { from: keyset.primaryId, ...(to === undefined ? {} : { to }) };
}

/** A rotation that begins. */
export const beginRotation = (keysets: readonly Keyset[], nowMs: number): Rotation => ({
  phase: 'create',
  sinceMs: nowMs,
  keysets: Object.fromEntries(keysets.map(({ name, primaryId }) => [name, { from: primaryId }])),
});

import type { SwimSettings } from './settings.ts';

/** How long a suspected node has to refute, and how confirmations by other peers shorten that time. */
export interface SuspicionTerms {
  readonly minMs: number;
  readonly maxMs: number;
  /** The number of confirmations that shorten it to the minimum. */
  readonly confirmationsWanted: number;
}

/** memberlist suspicionTimeout with Lifeguard's suspicion (arXiv 1707.00788). */
export function suspicionTerms(settings: SwimSettings, nodes: number): SuspicionTerms {
  const scale = Math.max(1, Math.log10(Math.max(1, nodes)));
  const minMs = Math.floor(settings.suspicionMult * scale * settings.probeIntervalMs);
  const wanted = settings.suspicionMult - 2;
  return {
    minMs,
    maxMs: settings.suspicionMaxTimeoutMult * minMs,
    // Only the other members, without the suspected and the suspecting one, can confirm.
    confirmationsWanted: nodes - 2 < wanted ? 0 : wanted,
  };
}

/** How long after its start a suspicion times out. */
export function suspicionTimeoutMs(terms: SuspicionTerms, confirmations: number): number {
  if (terms.confirmationsWanted < 1) return terms.minMs;
  const share = Math.log(confirmations + 1) / Math.log(terms.confirmationsWanted + 1);
  return Math.max(terms.minMs, Math.floor(terms.maxMs - share * (terms.maxMs - terms.minMs)));
}

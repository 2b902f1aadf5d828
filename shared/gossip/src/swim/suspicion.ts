import type { SwimSettings } from './settings.ts';

/** How long a suspected node may take to defend itself, and how that shrinks with each peer who suspects it too. */
export interface SuspicionTerms {
  readonly minMs: number;
  readonly maxMs: number;
  /** So many confirmations bring it down to the minimum. */
  readonly confirmationsWanted: number;
}

/** memberlist suspicionTimeout, and Lifeguard's (arXiv 1707.00788) local health aware suspicion. */
export function suspicionTerms(settings: SwimSettings, nodes: number): SuspicionTerms {
  const scale = Math.max(1, Math.log10(Math.max(1, nodes)));
  const minMs = Math.floor(settings.suspicionMult * scale * settings.probeIntervalMs);
  const wanted = settings.suspicionMult - 2;
  return {
    minMs,
    maxMs: settings.suspicionMaxTimeoutMult * minMs,
    // Beside the suspected one and the one who suspects there must be others who could confirm.
    confirmationsWanted: nodes - 2 < wanted ? 0 : wanted,
  };
}

/** How long after its beginning a suspicion becomes a death. */
export function suspicionTimeoutMs(terms: SuspicionTerms, confirmations: number): number {
  if (terms.confirmationsWanted < 1) return terms.minMs;
  const share = Math.log(confirmations + 1) / Math.log(terms.confirmationsWanted + 1);
  return Math.max(terms.minMs, Math.floor(terms.maxMs - share * (terms.maxMs - terms.minMs)));
}

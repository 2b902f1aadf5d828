import type { ListedKeypair } from '../keys/list-keys.ts';
import { LEAF_WARN_BEFORE_MS } from './certificate-renewal.ts';
import type { ValidationFailure } from './plan-validation.ts';

/** A certificate that something in the cluster presents. */
export interface PresentedCertificate {
  /** The component that presents it, e.g. `API server`. */
  readonly of: string;
  readonly expiresMs: number;
}

/** Time for three rolls of a large cluster, which exchanging an authority takes. */
const WARN_BEFORE_MS = 60 * 24 * 60 * 60_000;

export interface ExpiryFindings {
  readonly failures: readonly ValidationFailure[];
  /** What will fail before long, and does not yet. */
  readonly warnings: readonly ValidationFailure[];
}

/** Which certificates have expired or are about to. Key pairs that nobody trusts any more may expire. Pure. */
export function certificateExpiry(
  keypairs: readonly ListedKeypair[],
  presented: readonly PresentedCertificate[],
  nowMs: number,
): ExpiryFindings {
  const [failures, warnings]: [ValidationFailure[], ValidationFailure[]] = [[], []];
  const find = (name: string, expiresMs: number, warnBeforeMs: number, isFailure: boolean, next: string): void => {
    const leftMs = expiresMs - nowMs;
    if (leftMs > warnBeforeMs) return;
    const at = new Date(expiresMs).toISOString();
    const message = leftMs <= 0 ? `expired at ${at}; ${next}` : `expires at ${at}; ${next}`;
    (leftMs <= 0 && isFailure ? failures : warnings).push({ kind: 'Certificate', name, message });
  };
  for (const { keyset, id, isPrimary, expires, distrusted } of keypairs) {
    if (expires === undefined || distrusted !== undefined) continue;
    // Nothing verifies the certificate of a service-account key: only the key counts.
    if (keyset === 'service-account') continue;
    const next = isPrimary
      ? 'rotate it with `kopsctl keypair rotate`'
      : `distrust it with \`kopsctl distrust keypair ${keyset} ${id}\``;
    find(`${keyset}/${id}`, Date.parse(expires), WARN_BEFORE_MS, isPrimary, next);
  }
  for (const { of, expiresMs } of presented) {
    find(of, expiresMs, LEAF_WARN_BEFORE_MS, true, 'its machine should have renewed it: `journalctl -u nodeup` there');
  }
  return { failures, warnings };
}

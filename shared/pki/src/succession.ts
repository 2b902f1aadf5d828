import type { Keyset, KeysetItem } from './keyset.ts';
import { serialTimeMs } from './serial.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * A new keyset that takes over from one that signed the same before: its certificates are trusted as well, because
 * certificates that they have signed are still in use. Their keys are not taken over.
 */
export function trustingPredecessor(keyset: Keyset, predecessor: Keyset): Keyset {
  const trusted = predecessor.items.filter(isTrusted).map(({ id, certificatePem = '' }) => ({ id, certificatePem }));
  return { ...keyset, items: [...trusted, ...keyset.items] };
}

/**
 * The certificates of the predecessor that are trusted although what they signed has ended: this many days after the
 * keyset was made. Those that a person has added are not among them.
 */
export function outlivedCertificates(
  keyset: Keyset,
  predecessor: Keyset,
  forDays: number,
  nowMs: number,
): readonly KeysetItem[] {
  const bornMs = serialTimeMs(keyset.primaryId);
  if (bornMs === undefined || nowMs < bornMs + forDays * DAY_MS) return [];
  const theirs = new Set(predecessor.items.map(({ certificatePem }) => certificatePem));
  return keyset.items.filter((item) => isTrusted(item) && theirs.has(item.certificatePem) && !hasKey(item));
}

/** The keyset in which these are no longer trusted. */
export function distrusting(keyset: Keyset, outlived: readonly KeysetItem[], nowMs: number): Keyset {
  const ids = new Set(outlived.map(({ id }) => id));
  return {
    ...keyset,
    items: keyset.items.map((item) => (ids.has(item.id) ? { ...item, distrustedMs: nowMs } : item)),
  };
}

const isTrusted = ({ certificatePem, distrustedMs }: KeysetItem): boolean =>
  certificatePem !== undefined && distrustedMs === undefined;

const hasKey = ({ privateKeyPem }: KeysetItem): boolean => privateKeyPem !== undefined;

/** A Lease, and when this process first saw it like this (clocks of different machines are never compared). */
export interface ObservedLease {
  readonly holder: string;
  readonly resourceVersion: string;
  readonly seenMs: number;
}

export const LEASE_SECONDS = 15;
/** Allows three attempts within a lease. */
export const RENEW_MS = 5_000;

export type LeaseStep =
  | { readonly action: 'create' | 'take' | 'renew'; readonly summary: string }
  | { readonly action: 'wait'; readonly waitMs: number; readonly summary: string };

/**
 * Decides what to do about the Lease. Another holder is respected until its record has not changed for the duration of
 * a lease, measured by our own clock.
 */
export function planLease(me: string, lease: ObservedLease | undefined, nowMs: number): LeaseStep {
  if (lease === undefined) return { action: 'create', summary: 'nobody leads yet' };
  if (lease.holder === me) return { action: 'renew', summary: 'still leading' };
  if (lease.holder === '') return { action: 'take', summary: 'the last leader has stepped down' };
  const leftMs = lease.seenMs + LEASE_SECONDS * 1000 - nowMs;
  if (leftMs <= 0) return { action: 'take', summary: `${lease.holder} has not renewed for ${LEASE_SECONDS} s` };
  return { action: 'wait', waitMs: Math.min(leftMs, RENEW_MS), summary: `${lease.holder} leads` };
}

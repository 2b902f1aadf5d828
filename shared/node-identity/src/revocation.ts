import type { Enrolment } from './enrolment.ts';

/** How long kubelet's client certificate is good for. Kubernetes before 1.22 decides that by itself. */
export const CLIENT_LIFE_SECONDS = 72 * 3600;

/** A certificate that was being signed when the mark was written, and clocks that differ. */
const MARGIN_MS = 60 * 60_000;

/**
 * Until when a certificate of a revoked machine may still be valid, in ms since 1970; undefined if it is not revoked.
 * The API server takes its holder for the Node of that name, whichever machine has the name by then.
 */
export const certificatesEndMs = ({ revokedAt }: Pick<Enrolment, 'revokedAt'>): number | undefined =>
  revokedAt === undefined ? undefined : Date.parse(revokedAt) + CLIENT_LIFE_SECONDS * 1000 + MARGIN_MS;

/** The mark of a person: this instance gets nothing any more. One that is revoked already stays as it is. */
export function revoke(enrolment: Enrolment, nowMs: number, reason: string | undefined): Enrolment {
  if (enrolment.revokedAt !== undefined) return enrolment;
  const { permitsNewKey: _withdrawn, ...rest } = enrolment;
  return {
    ...rest,
    revokedAt: new Date(nowMs).toISOString(),
    ...(reason !== undefined && { revokedReason: reason }),
  };
}

/**
 * The mark of a person: the next key of this instance is accepted with evidence, once. This also takes back a
 * revocation; the caller has to ask whether that is intended.
 */
export function permitNewKey(enrolment: Enrolment): Enrolment {
  const { revokedAt: _at, revokedReason: _why, ...rest } = enrolment;
  return { ...rest, permitsNewKey: true };
}

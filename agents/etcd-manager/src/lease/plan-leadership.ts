/** `control/leader` in the store: who acts for the whole etcd cluster. */
export interface LeaderRecord {
  /** A member's name; empty: the last one has stepped down. */
  readonly holder: string;
  /** Grows with every change of holder: the fencing token of all that a leader does. */
  readonly epoch: number;
  /** Grows with every renewal, so that a living holder shows as a changing record. */
  readonly beat: number;
}

/** As one machine sees the record. No clock is shared: what counts is how long it has not changed, by one's own. */
export interface SeenRecord {
  readonly record: LeaderRecord;
  readonly unchangedForMs: number;
}

/**
 * A record that has not changed for this long belongs to nobody. Renewed at a third of it, it costs two small requests
 * every ten seconds, and a leader that dies is missed for half a minute, in which etcd itself serves on.
 */
export const LEASE_MS = 30_000;
export const RENEW_MS = LEASE_MS / 3;

/** A machine whose etcd is not well lets those whose is go first. */
const UNWELL_GRACE_MS = 15_000;

export type LeadershipStep =
  | { readonly action: 'write'; readonly record: LeaderRecord; readonly summary: string }
  | { readonly action: 'wait'; readonly waitMs: number; readonly summary: string };

/**
 * What to do about the record. Only one of two that write at once succeeds, since each write is conditional on the
 * record that was seen.
 *
 * @param self `holds`: this process leads already; `isWell`: its etcd sees a quorum, without which a machine can do
 *   little for the others
 */
export function planLeadership(
  me: string,
  seen: SeenRecord | undefined,
  self: { readonly holds: boolean; readonly isWell: boolean },
): LeadershipStep {
  if (seen === undefined) {
    return { action: 'write', record: { holder: me, epoch: 1, beat: 0 }, summary: 'nobody has led yet' };
  }
  const { record, unchangedForMs } = seen;
  if (record.holder === me && self.holds) {
    return { action: 'write', record: { ...record, beat: record.beat + 1 }, summary: `${me} leads on` };
  }
  // What an earlier process of this machine has begun is fenced off like that of any other.
  if (record.holder === me) {
    return { action: 'write', record: { holder: me, epoch: record.epoch + 1, beat: 0 }, summary: `${me} leads anew` };
  }
  const leaseMs = (record.holder === '' ? 0 : LEASE_MS) + (self.isWell ? 0 : UNWELL_GRACE_MS);
  if (unchangedForMs < leaseMs) {
    const waitMs = Math.min(leaseMs - unchangedForMs, RENEW_MS);
    return { action: 'wait', waitMs, summary: `${record.holder === '' ? 'nobody' : record.holder} leads` };
  }
  const why = record.holder === '' ? 'the last leader has stepped down' : `${record.holder} does not renew its lease`;
  return { action: 'write', record: { holder: me, epoch: record.epoch + 1, beat: 0 }, summary: why };
}

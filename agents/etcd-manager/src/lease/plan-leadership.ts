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
/** A leader whose etcd has seen no quorum for this long may be the one that is cut off: another shall try. */
const UNWELL_MS = 30_000;
/** Where nobody else took the lease, all are unwell: it is offered ever more rarely, so that a restore can be led. */
const UNWELL_MOST_MS = 10 * 60_000;

/** This process, as far as it matters to who should lead. */
export interface Candidate {
  /** It leads already. */
  readonly holds: boolean;
  /** Its etcd sees a quorum, without which a machine can do little for the others. */
  readonly isWell: boolean;
  /** How long it has not, or how long ago it stepped down for that reason. */
  readonly unwellForMs: number;
  /** The other members have a quorum without it. */
  readonly othersLead: boolean;
  /** How often the lease was there for others to take since it was well. */
  readonly offers: number;
}

export type LeadershipStep =
  | { readonly action: 'write' | 'step-down'; readonly record: LeaderRecord; readonly summary: string }
  | { readonly action: 'wait'; readonly waitMs: number; readonly summary: string };

/**
 * What to do about the record. Only one of two that write at once succeeds, since each write is conditional on the
 * record that was seen. Whoever could do little steps aside for others, and leads all the same where nobody else does.
 */
export function planLeadership(me: string, seen: SeenRecord | undefined, self: Candidate): LeadershipStep {
  if (seen === undefined) {
    return { action: 'write', record: { holder: me, epoch: 1, beat: 0 }, summary: 'nobody has led yet' };
  }
  const { record, unchangedForMs } = seen;
  const why = record.holder === me ? whyStepDown(self) : undefined;
  if (why !== undefined) return { action: 'step-down', record: { ...record, holder: '' }, summary: why };
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
  const summary =
    record.holder === '' ? 'the last leader has stepped down' : `${record.holder} does not renew its lease`;
  return { action: 'write', record: { holder: me, epoch: record.epoch + 1, beat: 0 }, summary };
}

/** Why another machine shall have the lease that this one holds; undefined: it keeps it. */
function whyStepDown({ isWell, unwellForMs, othersLead, offers }: Candidate): string | undefined {
  if (isWell) return undefined;
  // Known to be of use to the others, it is offered at once; but not again and again where their managers are away.
  if (othersLead && offers === 0) return 'the others have a quorum, and the etcd here is not well';
  const patienceMs = Math.min(UNWELL_MS * 4 ** offers, UNWELL_MOST_MS);
  return unwellForMs < patienceMs ? undefined : 'the etcd here has seen no quorum for a while';
}

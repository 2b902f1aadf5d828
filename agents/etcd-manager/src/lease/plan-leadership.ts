/** `control/leader` in the store: the machine that acts for the whole etcd cluster. */
export interface LeaderRecord extends Partial<Omit<Leader, 'member'>> {
  /** The member name of the leader; empty after it has stepped down. */
  readonly holder: string;
  /** Grows with every change of the leading process: the fencing token of everything that a leader does. */
  readonly epoch: number;
  /** Grows with every renewal, so that the record of a live holder keeps changing. */
  readonly beat: number;
}

/**
 * The manager that leads. A volume can move to another machine while the manager of the first one still runs, so a member's name alone
 * does not tell two managers apart.
 */
export interface Leader {
  readonly member: string;
  /** The machine's address. */
  readonly machine: string;
  /** Random; another one with each start of the manager. */
  readonly process: string;
}

/** The record as one machine sees it. Clocks are never compared: each machine measures how long it has seen no change. */
export interface SeenRecord {
  readonly record: LeaderRecord;
  readonly unchangedForMs: number;
}

/**
 * A record that has not changed for this long is free. It is renewed at a third of this, which costs two small requests
 * every ten seconds. After the leader dies nobody acts for half a minute, while etcd itself keeps serving.
 */
export const LEASE_MS = 30_000;
export const RENEW_MS = LEASE_MS / 3;

/** A machine whose etcd is not healthy lets healthy machines go first. */
const UNWELL_GRACE_MS = 15_000;
/** A leader whose etcd has seen no quorum for this long may be the one that is cut off, so another machine should try. */
const UNWELL_MS = 30_000;
/**
 * If nobody else takes the lease, no machine is healthy. Then the lease is offered less and less often, so that one of them can
 * lead a restore.
 */
const UNWELL_MOST_MS = 10 * 60_000;

/** What decides whether this process should lead. */
export interface Candidate {
  /** This process leads already. */
  readonly holds: boolean;
  /** Its volume is there. Without it, it could neither take a backup nor begin a restore. */
  readonly hasVolume: boolean;
  /** A restore is under way in which this machine takes no part, so it could not carry it on. */
  readonly isBystander: boolean;
  /** Its etcd sees a quorum. Without one, a leader can do little for the others. */
  readonly isWell: boolean;
  /** How long its etcd has seen no quorum, or how long ago this machine stepped down for that reason. */
  readonly unwellForMs: number;
  /** The other members have a quorum without it. */
  readonly othersLead: boolean;
  /** How often others could have taken the lease since its etcd was last healthy. */
  readonly offers: number;
}

export type LeadershipStep =
  | { readonly action: 'write' | 'step-down'; readonly record: LeaderRecord; readonly summary: string }
  | { readonly action: 'wait'; readonly waitMs: number; readonly summary: string };

/**
 * Decides what to do about the record. Only one of two machines that write at once succeeds, because each write is
 * conditional on the record that was seen. A machine whose etcd is not healthy steps aside for others, but leads if nobody
 * else does.
 */
export function planLeadership(me: Leader, seen: SeenRecord | undefined, self: Candidate): LeadershipStep {
  const lead = (epoch: number, summary: string): LeadershipStep => {
    const { member, machine, process } = me;
    return { action: 'write', record: { holder: member, machine, process, epoch, beat: 0 }, summary };
  };
  const obstacle = obstacleOf(self);
  if (seen === undefined) return obstacle === undefined ? lead(1, 'nobody has led yet') : letOthersLead(obstacle);
  const { record, unchangedForMs } = seen;
  // Another process of this machine has ended: there is only one at a time.
  const isHere = record.holder === me.member && record.machine === me.machine;
  const why = isHere ? whyStepDown(self) : undefined;
  if (why !== undefined) return { action: 'step-down', record: { ...record, holder: '' }, summary: why };
  if (obstacle !== undefined) return letOthersLead(obstacle);
  if (isHere && self.holds && record.process === me.process) {
    return { action: 'write', record: { ...record, beat: record.beat + 1 }, summary: `${me.member} still leads` };
  }
  // Whatever an earlier process of this machine has begun is fenced off, as for any other machine.
  if (isHere) return lead(record.epoch + 1, `${me.member} leads again`);
  const leaseMs = (record.holder === '' ? 0 : LEASE_MS) + (self.isWell ? 0 : UNWELL_GRACE_MS);
  if (unchangedForMs < leaseMs) {
    const waitMs = Math.min(leaseMs - unchangedForMs, RENEW_MS);
    return { action: 'wait', waitMs, summary: `${nameOf(record, me)} leads` };
  }
  return lead(
    record.epoch + 1,
    record.holder === '' ? 'the last leader has stepped down' : `${nameOf(record, me)} does not renew its lease`,
  );
}

/** Why this machine can do nothing for the cluster; undefined if it can. */
function obstacleOf({ hasVolume, isBystander }: Candidate): string | undefined {
  if (!hasVolume) return 'the volume of this machine is gone';
  return isBystander ? 'a restore is under way in which this machine takes no part' : undefined;
}

function letOthersLead(obstacle: string): LeadershipStep {
  return { action: 'wait', waitMs: RENEW_MS, summary: `${obstacle}, so another one has to lead` };
}

function nameOf({ holder, machine }: LeaderRecord, me: Leader): string {
  if (holder === '') return 'nobody';
  return holder === me.member ? `${holder} on the machine ${machine ?? 'that held its volume before'}` : holder;
}

/** Why this machine should give up the lease; undefined if it should keep it. */
function whyStepDown(self: Candidate): string | undefined {
  const { isWell, unwellForMs, othersLead, offers } = self;
  const obstacle = obstacleOf(self);
  if (obstacle !== undefined) return obstacle;
  if (isWell) return undefined;
  // The others can use the lease, so it is offered at once, but only once: their managers may be gone.
  if (othersLead && offers === 0) return 'the others have a quorum, and the local etcd is not healthy';
  const patienceMs = Math.min(UNWELL_MS * 4 ** offers, UNWELL_MOST_MS);
  return unwellForMs < patienceMs ? undefined : 'the local etcd has seen no quorum for a while';
}

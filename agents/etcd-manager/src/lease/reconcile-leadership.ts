import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import type { Clock } from '../clock.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import type { Leadership, Term } from './leadership.ts';
import {
  LEASE_MS,
  planLeadership,
  RENEW_MS,
  type Candidate,
  type Leader,
  type LeaderRecord,
  type LeadershipStep,
} from './plan-leadership.ts';

const RECORD = 'control/leader';
/** A machine that is told to stop waits no longer than this for the store. */
const RELEASE_WITHIN_MS = 3_000;

export interface LeadershipEnv {
  readonly store: StateStore;
  readonly backupPath: string;
  readonly log: Log;
  readonly clock: Clock;
  /** See `Leader`. */
  readonly machine: string;
  readonly process: string;
  /** The state of this machine's member, without a name while its volume is gone. */
  own(): Pick<Candidate, 'isWell' | 'othersLead' | 'isBystander'> & { readonly member: string | undefined };
  /** Tells the other machines that the lease is free. */
  tell(): void;
  /** Rings `wake` when what `own` returns has changed. */
  ringOnChange(wake: Wake): void;
}

/** @throws when the record names another term: what was planned in this one must not be done */
export async function confirmTerm(
  { epoch, process }: Pick<Term, 'epoch' | 'process'>,
  env: Pick<LeadershipEnv, 'store' | 'backupPath'>,
  signal: AbortSignal,
): Promise<void> {
  const stored = await env.store.read(`${env.backupPath}/${RECORD}`, signal);
  const now = asRecord(stored && parseJson(stored.bytes));
  if (now['epoch'] === epoch && now['process'] === process) return;
  throw new Error(`the lease of epoch ${epoch} is over (now ${String(now['epoch'])}): nothing was changed`);
}

interface Seen {
  readonly record: LeaderRecord;
  readonly version: string;
  /** When this version was first seen, by this machine's own monotonic clock. */
  readonly sinceMs: number;
}

/** What a candidate remembers between two looks at the record. Times are monotonic. */
interface Candidacy {
  /** As of the last look at which the volume was there. */
  me: Leader;
  readonly leadership: Leadership;
  seen: Seen | undefined;
  /** When the last renewal that succeeded was begun. */
  renewedMs: number;
  /** When the local etcd was last healthy, or when this machine last stepped down because it was not. */
  wellMs: number;
  /** See `Candidate.offers`. */
  offers: number;
  /** Whether the others had a quorum at the last look. */
  othersLed: boolean;
  lastLine: string;
}

/**
 * Competes for the lease to act for the whole etcd cluster, until `signal` aborts. The lease is a record in the backup
 * store and not a lock within etcd, so it also works while etcd has no quorum. Only this function writes `leadership`.
 */
export async function reconcileLeadership(
  leadership: Leadership,
  env: LeadershipEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.ringOnChange(wake);
  const candidacy = beginCandidacy(leadership, env);
  try {
    while (!signal.aborted) {
      const waitMs = await compete(candidacy, env, signal);
      if (waitMs > 0) await wake.wait(waitMs, signal);
    }
  } finally {
    const led = leadership.isHeld;
    leadership.end('the manager ends');
    if (led && signal.aborted) await release(candidacy.me, candidacy.seen, env, 'the manager ends');
  }
}

/** A candidacy that has seen nothing yet, and holds no lease. */
export function beginCandidacy(
  leadership: Leadership,
  { machine, process, clock }: Pick<LeadershipEnv, 'machine' | 'process' | 'clock'>,
): Candidacy {
  return {
    me: { member: '', machine, process },
    leadership,
    seen: undefined,
    renewedMs: 0,
    wellMs: clock.nowMs(),
    offers: 0,
    othersLed: false,
    lastLine: '',
  };
}

/** Looks at the record once and does what is to be done about it. Resolves with how long to wait before the next look. */
export async function compete(candidacy: Candidacy, env: LeadershipEnv, signal: AbortSignal): Promise<number> {
  const { leadership } = candidacy;
  const nowMs = env.clock.nowMs();
  const own = env.own();
  const hasVolume = own.member !== undefined;
  // The volume that is there now may be that of another member.
  if (own.member !== undefined) candidacy.me = { ...candidacy.me, member: own.member };
  const { me } = candidacy;
  if (own.isWell) [candidacy.wellMs, candidacy.offers] = [nowMs, 0];
  // The others' managers may have been gone when the lease was offered to them, and may be back with their etcds.
  if (own.othersLead && !candidacy.othersLed) candidacy.offers = 0;
  candidacy.othersLed = own.othersLead;
  // A leader that cannot renew in time must have stopped before another one may begin.
  const deadline = leadership.isHeld ? env.clock.after(remaining(candidacy.renewedMs, env.clock)) : undefined;
  const asked = deadline === undefined ? signal : AbortSignal.any([signal, deadline]);
  const stop = (): void => leadership.end('the lease could not be renewed in time');
  deadline?.addEventListener('abort', stop, { once: true });
  try {
    candidacy.seen = await look(candidacy.seen, env, asked);
    const { seen, offers } = candidacy;
    const self = { ...own, hasVolume, holds: leadership.isHeld, unwellForMs: nowMs - candidacy.wellMs, offers };
    const step = planLeadership(me, seen && { ...seen, unchangedForMs: nowMs - seen.sinceMs }, self);
    logStep(step, candidacy, env.log);
    return await carryOut(step, { isWell: own.isWell, nowMs }, candidacy, env, asked);
  } finally {
    deadline?.removeEventListener('abort', stop);
  }
}

/** A renewal leaves no line, and stepping down leaves the one of `release`. */
function logStep(step: LeadershipStep, candidacy: Candidacy, log: Log): void {
  const message = step.action === 'wait' ? 'follow' : 'lead';
  const line = `${message} ${step.summary}`;
  const isNews = step.action === 'wait' || (step.action === 'write' && !candidacy.leadership.isHeld);
  if (isNews && line !== candidacy.lastLine) log.info(message, { summary: step.summary });
  candidacy.lastLine = line;
}

async function carryOut(
  step: LeadershipStep,
  { isWell, nowMs }: { readonly isWell: boolean; readonly nowMs: number },
  candidacy: Candidacy,
  env: LeadershipEnv,
  signal: AbortSignal,
): Promise<number> {
  const { me, leadership, seen } = candidacy;
  switch (step.action) {
    case 'wait':
      leadership.end('another machine leads');
      if (seen !== undefined) leadership.see(seen.record.epoch);
      return step.waitMs;
    case 'step-down':
      leadership.end(step.summary);
      await release(me, seen, env, step.summary);
      env.tell();
      candidacy.wellMs = nowMs;
      candidacy.offers += 1;
      return RENEW_MS;
    case 'write': {
      const beforeMs = env.clock.nowMs();
      const version = await write(step.record, seen, env, signal);
      if (version === undefined) return 0;
      // A machine that takes the lease although its etcd is not healthy has left it to the others first.
      if (!isWell && seen !== undefined && seen.record.holder !== me.member)
        candidacy.offers = Math.max(candidacy.offers, 1);
      candidacy.renewedMs = beforeMs;
      candidacy.seen = { record: step.record, version, sinceMs: beforeMs };
      if (leadership.term?.epoch !== step.record.epoch) leadership.begin(step.record.epoch, me.process);
      return RENEW_MS;
    }
  }
}

/** How long a renewal may still take. A third of the lease is left as a margin. */
function remaining(renewedMs: number, clock: Clock): number {
  return Math.max(1, Math.round(renewedMs + (LEASE_MS * 2) / 3 - clock.nowMs()));
}

async function look(before: Seen | undefined, env: LeadershipEnv, signal: AbortSignal): Promise<Seen | undefined> {
  const stored = await env.store.read(`${env.backupPath}/${RECORD}`, signal);
  if (stored === undefined) return undefined;
  if (before?.version === stored.version) return before;
  // A damaged record runs out like that of a leader that died. Epochs still only grow.
  const { holder, machine, process, epoch, beat } = asRecord(parseJson(stored.bytes));
  const record: LeaderRecord = {
    holder: typeof holder === 'string' ? holder : '?',
    ...(typeof machine === 'string' && { machine }),
    ...(typeof process === 'string' && { process }),
    epoch: typeof epoch === 'number' ? epoch : (before?.record.epoch ?? 0),
    beat: typeof beat === 'number' ? beat : 0,
  };
  return { record, version: stored.version, sinceMs: env.clock.nowMs() };
}

/** Resolves with the written version; undefined if another machine wrote first. */
async function write(
  record: LeaderRecord,
  seen: Seen | undefined,
  env: LeadershipEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const condition = ifUnchanged(seen?.version);
  try {
    const bytes = Buffer.from(printJson(record));
    return (await env.store.write(`${env.backupPath}/${RECORD}`, bytes, condition, signal)).version;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

/** Frees the lease, so that the next leader need not wait until it runs out. A failure only means that it has to wait. */
async function release(me: Leader, seen: Seen | undefined, env: LeadershipEnv, why: string): Promise<void> {
  if (seen?.record.holder !== me.member || seen.record.machine !== me.machine) return;
  const signal = env.clock.after(RELEASE_WITHIN_MS);
  try {
    await write({ ...seen.record, holder: '' }, seen, env, signal);
    env.log.info('step-down', { summary: why });
  } catch (error) {
    env.log.warn('could not release the lease, so it has to expire', { error });
  }
}

import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { objectOf, parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import type { Leadership } from './leadership.ts';
import { LEASE_MS, planLeadership, RENEW_MS, type Candidate, type LeaderRecord } from './plan-leadership.ts';

const RECORD = 'control/leader';
/** A machine that is told to stop does not wait longer than this for a store. */
const RELEASE_WITHIN_MS = 3_000;

export interface LeadershipEnv {
  readonly store: StateStore;
  readonly backupPath: string;
  readonly log: Log;
  /** This machine's etcd. */
  own(): Pick<Candidate, 'isWell' | 'othersLead'>;
  /** The lease is there for others to take. */
  tell(): void;
  /** Rings when what `own` says has changed. */
  ringOnChange(wake: Wake): void;
}

/** @throws when the record names another time of leading: what was planned in this one must not be done. */
export async function confirmEpoch(
  epoch: number,
  env: Pick<LeadershipEnv, 'store' | 'backupPath'>,
  signal: AbortSignal,
): Promise<void> {
  const stored = await env.store.read(`${env.backupPath}/${RECORD}`, signal);
  const now = objectOf(stored && parseJson(stored.bytes))['epoch'];
  if (now !== epoch) throw new Error(`the lease of epoch ${epoch} is over (now ${String(now)}): nothing is changed`);
}

interface Seen {
  readonly record: LeaderRecord;
  readonly version: string;
  /** When this version was first seen, by this machine's own monotonic clock. */
  readonly sinceMs: number;
}

/**
 * Competes for the lease on acting for the whole etcd cluster, which is a record in the backup store and no lock within
 * etcd: it holds also where etcd has lost its quorum. The one writer of `leadership`.
 */
export async function reconcileLeadership(
  me: string,
  leadership: Leadership,
  env: LeadershipEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  env.ringOnChange(wake);
  let seen: Seen | undefined;
  let renewedMs = 0;
  let wellMs = performance.now();
  let offers = 0;
  let said = '';
  try {
    while (!signal.aborted) {
      const nowMs = performance.now();
      const own = env.own();
      if (own.isWell) [wellMs, offers] = [nowMs, 0];
      // A leader that cannot renew in time must have stopped before another may begin.
      const deadline = leadership.isHeld ? AbortSignal.timeout(remaining(renewedMs)) : undefined;
      const asked = deadline === undefined ? signal : AbortSignal.any([signal, deadline]);
      const stop = (): void => leadership.end('the lease could not be renewed in time');
      deadline?.addEventListener('abort', stop, { once: true });
      let waitMs = 0;
      try {
        seen = await look(seen, env, asked);
        const self = { ...own, holds: leadership.isHeld, unwellForMs: nowMs - wellMs, offers };
        const step = planLeadership(me, seen && { ...seen, unchangedForMs: nowMs - seen.sinceMs }, self);
        const line = `${step.action === 'wait' ? 'follow' : 'lead'}: ${step.summary}`;
        const isNews = step.action === 'wait' || (step.action === 'write' && !leadership.isHeld);
        if (isNews && line !== said) env.log.info(line);
        said = line;
        switch (step.action) {
          case 'wait':
            leadership.end('another machine leads');
            if (seen !== undefined) leadership.see(seen.record.epoch);
            ({ waitMs } = step);
            break;
          case 'step-down':
            leadership.end(step.summary);
            await release(me, seen, env, step.summary);
            env.tell();
            wellMs = nowMs;
            offers += 1;
            waitMs = RENEW_MS;
            break;
          case 'write': {
            const beforeMs = performance.now();
            const version = await write(step.record, seen, env, asked);
            if (version === undefined) break;
            // Whoever takes it though unwell has left it to the others first.
            if (!own.isWell && seen !== undefined && seen.record.holder !== me) offers = Math.max(offers, 1);
            renewedMs = beforeMs;
            seen = { record: step.record, version, sinceMs: beforeMs };
            if (leadership.term?.epoch !== step.record.epoch) leadership.begin(step.record.epoch);
            waitMs = RENEW_MS;
          }
        }
      } finally {
        deadline?.removeEventListener('abort', stop);
      }
      if (waitMs > 0) await wake.wait(waitMs, signal);
    }
  } finally {
    const led = leadership.isHeld;
    leadership.end('the manager ends');
    if (led && signal.aborted) await release(me, seen, env, 'it ends');
  }
}

/** The time in which a renewal must have come back: a third of the lease is left as a margin. */
function remaining(renewedMs: number): number {
  return Math.max(1, Math.round(renewedMs + (LEASE_MS * 2) / 3 - performance.now()));
}

async function look(before: Seen | undefined, env: LeadershipEnv, signal: AbortSignal): Promise<Seen | undefined> {
  const stored = await env.store.read(`${env.backupPath}/${RECORD}`, signal);
  if (stored === undefined) return undefined;
  if (before?.version === stored.version) return before;
  // A record that cannot be read is nobody's: it runs out like that of a leader that died. Epochs still only grow.
  const { holder, epoch, beat } = objectOf(parseJson(stored.bytes));
  const record: LeaderRecord = {
    holder: typeof holder === 'string' ? holder : '?',
    epoch: typeof epoch === 'number' ? epoch : (before?.record.epoch ?? 0),
    beat: typeof beat === 'number' ? beat : 0,
  };
  return { record, version: stored.version, sinceMs: performance.now() };
}

/** The version written; undefined when somebody else wrote first. */
async function write(
  record: LeaderRecord,
  seen: Seen | undefined,
  env: LeadershipEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const condition = seen === undefined ? ({ ifAbsent: true } as const) : { ifVersion: seen.version };
  try {
    const bytes = Buffer.from(printJson(record));
    return (await env.store.write(`${env.backupPath}/${RECORD}`, bytes, condition, signal)).version;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

/** So that the next leader need not wait for the lease to run out. If it fails, that wait is all that happens. */
async function release(me: string, seen: Seen | undefined, env: LeadershipEnv, why: string): Promise<void> {
  if (seen?.record.holder !== me) return;
  const signal = AbortSignal.timeout(RELEASE_WITHIN_MS);
  try {
    await write({ ...seen.record, holder: '' }, seen, env, signal);
    env.log.info(`step down: ${why}`);
  } catch (error) {
    env.log.warn(`could not step down, the lease runs out by itself: ${String(error)}`);
  }
}

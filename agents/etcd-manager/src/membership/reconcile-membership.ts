import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { BackupEnv, TakeBackup } from '../backup/take-backup.ts';
import type { Bell } from '../bell/bell.ts';
import type { Clock } from '../clock.ts';
import { decisionLog } from '../decision-log.ts';
import type { Etcds } from '../etcd/etcds.ts';
import type { Leadership, Term } from '../lease/leadership.ts';
import { confirmTerm } from '../lease/reconcile-leadership.ts';
import type { OwnMember } from '../own-member.ts';
import type { EtcdGate } from '../restore/restore-step.ts';
import { actMembership } from './act-membership.ts';
import { writeChange, type StoredChange } from './change-record.ts';
import { observeMembership, watchedFrom, type Watched } from './observe-membership.ts';
import { planMembership, type MembershipStep } from './plan-membership.ts';
import { servingPollMs } from './serving-poll.ts';

/** While something is missing, the store is asked every second, in case a ring of a new machine was lost. */
const CHANGING_POLL_MS = 1_000;

/** What a person has to decide about the members, because nobody else can. */
export interface Advice {
  readonly what: string;
  readonly next: string;
}

export interface MembershipMemory {
  watched: Watched;
  /** Absent while this machine does not lead, or nothing has to be decided. */
  advice: Advice | undefined;
}

/** What one look needs. */
interface MembersEnv extends BackupEnv {
  readonly etcds: Etcds;
  readonly clock: Clock;
  readonly takeBackup: TakeBackup;
  readonly leadership: Pick<Leadership, 'term'>;
  readonly own: Pick<OwnMember, 'member'>;
  /** Outlives a failure of the loop, so that it does not forget which machines were silent or alive. */
  readonly memory: MembershipMemory;
  readonly gate: { readonly etcd: EtcdGate };
}

export interface MembershipLoopEnv extends MembersEnv {
  readonly leadership: Leadership;
  readonly bell: Bell;
}

/** While this machine leads, keeps the members of one etcd cluster as wanted, until `signal` aborts: observe, plan, act. */
export async function reconcileMembership(
  config: EtcdClusterConfig,
  env: MembershipLoopEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.bell.ringOnNews(wake);
  const logDecision = decisionLog(env.log, 'logged');
  while (!signal.aborted) await wake.wait(await lookAfterMembers(config, env, logDecision, signal), signal);
}

/** One look at the members, and what is to be done about them. Resolves with how long to wait. */
export async function lookAfterMembers(
  config: EtcdClusterConfig,
  env: MembersEnv,
  logDecision: ReturnType<typeof decisionLog>,
  signal: AbortSignal,
): Promise<number> {
  const { term } = env.leadership;
  const { member } = env.own;
  let step: MembershipStep | undefined;
  if (term !== undefined && member !== undefined && env.gate.etcd === 'free') {
    if (env.memory.watched.epoch !== term.epoch) env.memory.watched = watchedFrom(term.epoch);
    step = await lead(config, { ...env, member }, env.memory.watched, term, signal, logDecision);
  }
  env.memory.advice = step?.action === 'refuse' ? { what: step.summary, next: step.next } : undefined;
  const isChanging = step !== undefined && step.action !== 'nothing';
  return isChanging ? CHANGING_POLL_MS : servingPollMs(config);
}

async function lead(
  config: EtcdClusterConfig,
  env: MembersEnv & { readonly member: string },
  watched: Watched,
  term: Term,
  signal: AbortSignal,
  logDecision: ReturnType<typeof decisionLog>,
): Promise<MembershipStep | undefined> {
  const both = AbortSignal.any([signal, term.signal]);
  try {
    const observed = await observeMembership(config, watched, env, both);
    if (observed === undefined) return undefined;
    const { change } = observed;
    if (change.epoch !== term.epoch) {
      await confirmTerm(term, { store: env.store, backupPath: config.backupPath }, both);
      await sealChanges(change, term, config, env.store, both);
      return { action: 'wait', summary: 'the record of changes is sealed: no earlier leader can begin a change' };
    }
    const step = planMembership(observed);
    logDecision(step, 'name' in step ? { member: step.name } : {});
    await actMembership(step, observed, config, { ...env, term, change, watched }, both);
    return step;
  } catch (error) {
    signal.throwIfAborted();
    // The lease is lost. The next leader starts with a look of its own.
    if (term.signal.aborted) return undefined;
    throw error;
  }
}

/** Takes the record of changes over from an earlier leader, with what that leader may not have finished. */
async function sealChanges(
  read: StoredChange,
  { epoch, process }: Term,
  { backupPath }: EtcdClusterConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  await writeChange(store, backupPath, { epoch, process, change: 'nothing', removal: read.removal }, read, signal);
}

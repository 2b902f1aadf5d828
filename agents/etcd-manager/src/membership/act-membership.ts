import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { BackupEnv, TakeBackup } from '../backup/take-backup.ts';
import type { Clock } from '../clock.ts';
import type { Term } from '../lease/leadership.ts';
import { confirmTerm } from '../lease/reconcile-leadership.ts';
import { writeChange, type StoredChange } from './change-record.ts';
import { NotInSyncError, UnhealthyClusterError, type EtcdClient } from '../etcd/client.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost } from '../etcd/settings.ts';
import type { Watched } from './observe-membership.ts';
import type { MembershipStep, ObservedMembership } from './plan-membership.ts';

/** etcd may refuse a change for some seconds. A backup younger than this is not taken again for the next attempt. */
const FRESH_MS = 60_000;

export interface ActEnv extends BackupEnv {
  readonly etcds: Etcds;
  readonly clock: Clock;
  readonly takeBackup: TakeBackup;
  /** This machine's member. */
  readonly member: string;
  readonly watched: Watched;
  /** The term in which the step was decided. */
  readonly term: Pick<Term, 'epoch' | 'process'>;
  /** The record of changes from which it was decided. */
  readonly change: StoredChange;
}

/**
 * Carries out one step and decides nothing. Before a member is added or removed, a backup is taken; if the backup fails,
 * nothing is changed.
 */
export async function actMembership(
  step: MembershipStep,
  observed: ObservedMembership,
  config: EtcdClusterConfig,
  env: ActEnv,
  signal: AbortSignal,
): Promise<void> {
  switch (step.action) {
    case 'nothing':
    case 'wait':
    case 'refuse':
      return;
    case 'lift-corrupt':
      return change(step, leaderHost(observed, config, env), config, env, signal, async (etcd) => {
        for (const alarm of step.alarms) await etcd.disarm(alarm, signal);
      });
    case 'add':
      await backUpBefore(step.summary, observed, config, env, signal);
      return change(step, leaderHost(observed, config, env), config, env, signal, (etcd) =>
        etcd.addMember(step.peerUrl, step, signal),
      );
    case 'remove':
      await backUpBefore(step.summary, observed, config, env, signal);
      return change(step, leaderHost(observed, config, env), config, env, signal, (etcd) =>
        etcd.removeMember(step.id, signal),
      );
    case 'promote':
      return change(step, leaderHost(observed, config, env), config, env, signal, async (etcd) => {
        try {
          await etcd.promoteMember(step.id, signal);
        } catch (error) {
          if (!(error instanceof NotInSyncError)) throw error;
          env.log.info('the learner has not caught up yet', { member: step.name });
        }
      });
    case 'move-leader':
      return change(step, leaderHost(observed, config, env), config, env, signal, (etcd) =>
        etcd.moveLeader(step.id, signal),
      );
  }
}

/**
 * The etcd that makes the change: the leader of etcd, which knows best who is connected. An etcd that was paused together
 * with this manager would still believe what it saw before.
 */
function leaderHost({ members }: ObservedMembership, config: EtcdClusterConfig, env: ActEnv): string {
  const leader = members.find(({ isLeader }) => isLeader);
  return leader === undefined || leader.member === env.member ? env.address : memberHost(config, leader.member);
}

async function backUpBefore(
  summary: string,
  observed: ObservedMembership,
  config: EtcdClusterConfig,
  env: ActEnv,
  signal: AbortSignal,
): Promise<void> {
  const { members } = observed;
  const { backedUp } = env.watched;
  if (backedUp?.summary === summary && env.clock.nowMs() - backedUp.atMs < FRESH_MS) return;
  const request = { member: env.member, memberCount: members.length, reason: `before: ${summary}` };
  const { name } = await env.takeBackup(config, request, { ...env, address: sourceOf(observed, config, env) }, signal);
  env.log.info('backup saved before a change', { backup: name, change: summary });
  env.watched.backedUp = { summary, atMs: env.clock.nowMs() };
}

/** The etcd to back up: this machine's own, unless its data is not that of the majority. */
function sourceOf(
  { members, comparison }: ObservedMembership,
  config: EtcdClusterConfig,
  { member, address }: Pick<ActEnv, 'member' | 'address'>,
): string {
  const corrupt = comparison?.verdict === 'corrupt' ? comparison.ids : [];
  if (!members.some((one) => one.member === member && corrupt.includes(one.id))) return address;
  const sound = members.find(
    ({ id, isLearner, silentForMs }) => !isLearner && silentForMs === 0 && !corrupt.includes(id),
  );
  return sound === undefined ? address : memberHost(config, sound.member);
}

/**
 * Makes a change of members, fenced twice: the lease is confirmed, and the change is recorded over the record from which it was
 * decided. A leader that comes later replaces that record first, so a change that is not recorded by then is never made, and
 * one that is recorded is known to it (docs/decisions/0012-fenced-decisions.md).
 */
async function change(
  step: Exclude<MembershipStep, { readonly action: 'nothing' | 'wait' | 'refuse' }>,
  host: string,
  config: EtcdClusterConfig,
  env: ActEnv,
  signal: AbortSignal,
  make: (etcd: EtcdClient) => Promise<void>,
): Promise<void> {
  const { store, term } = env;
  const { backupPath } = config;
  await confirmTerm(term, { store, backupPath }, signal);
  const removal = step.action === 'remove' ? { id: step.id, member: step.name } : env.change.removal;
  const { epoch, process } = term;
  const begun = { epoch, process, change: step.summary, removal };
  const recorded = await writeChange(store, backupPath, begun, env.change, signal);
  try {
    await env.etcds.ask(host, config, make);
  } catch (error) {
    // After any other error etcd may still make the change.
    if (!(error instanceof UnhealthyClusterError)) throw error;
    const { backedUp } = env.watched;
    if (env.watched.refusedAtMs !== backedUp?.atMs) {
      env.log.info('etcd refuses to change members until all of them have been connected for five seconds');
    }
    env.watched.refusedAtMs = backedUp?.atMs;
  }
  if (step.action !== 'remove') return;
  await writeChange(store, backupPath, { epoch, process, change: 'nothing' }, recorded, signal);
}

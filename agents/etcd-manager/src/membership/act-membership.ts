import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { askEtcd } from '../etcd/ask-etcd.ts';
import { NotInSyncError, UnhealthyClusterError, type EtcdClient } from '../etcd/client.ts';
import { memberHost } from '../etcd/settings.ts';
import type { Watched } from './observe-membership.ts';
import type { MembershipStep, ObservedMembership } from './plan-membership.ts';

/** etcd may refuse a change for some seconds. A backup younger than this is not taken again for the next attempt. */
const FRESH_MS = 60_000;

export interface ActEnv extends BackupEnv {
  /** This machine's member. */
  readonly member: string;
  readonly watched: Watched;
  /** @throws when this machine no longer leads, so nothing may be changed any more */
  confirmTerm(signal: AbortSignal): Promise<void>;
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
      return;
    case 'add':
      await backUpBefore(step.summary, observed, config, env, signal);
      return change(env.address, config, env, signal, (etcd) => etcd.addMember(step.peerUrl, step, signal));
    case 'remove':
      await backUpBefore(step.summary, observed, config, env, signal);
      return change(env.address, config, env, signal, (etcd) => etcd.removeMember(step.id, signal));
    case 'promote':
      return change(env.address, config, env, signal, async (etcd) => {
        try {
          await etcd.promoteMember(step.id, signal);
        } catch (error) {
          if (!(error instanceof NotInSyncError)) throw error;
          env.log.info('the learner has not caught up yet', { member: step.name });
        }
      });
    case 'move-leader': {
      const leader = observed.members.find(({ isLeader }) => isLeader);
      if (leader === undefined) return;
      const host = memberHost(config, leader.member);
      return change(host, config, env, signal, (etcd) => etcd.moveLeader(step.id, signal));
    }
  }
}

async function backUpBefore(
  summary: string,
  { members }: ObservedMembership,
  config: EtcdClusterConfig,
  env: ActEnv,
  signal: AbortSignal,
): Promise<void> {
  const { backedUp } = env.watched;
  if (backedUp?.summary === summary && performance.now() - backedUp.atMs < FRESH_MS) return;
  const request = { member: env.member, memberCount: members.length, reason: `before: ${summary}` };
  const { name } = await takeBackup(config, request, env, signal);
  env.log.info('backup saved before a change', { backup: name, change: summary });
  env.watched.backedUp = { summary, atMs: performance.now() };
}

async function change(
  host: string,
  config: EtcdClusterConfig,
  env: ActEnv,
  signal: AbortSignal,
  make: (etcd: EtcdClient) => Promise<void>,
): Promise<void> {
  await env.confirmTerm(signal);
  try {
    await askEtcd(host, config, make);
  } catch (error) {
    if (!(error instanceof UnhealthyClusterError)) throw error;
    const { backedUp } = env.watched;
    if (env.watched.refusedAtMs !== backedUp?.atMs) {
      env.log.info('etcd refuses to change members until all of them have been connected for five seconds');
    }
    env.watched.refusedAtMs = backedUp?.atMs;
  }
}

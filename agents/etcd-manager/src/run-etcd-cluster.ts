import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { Bell } from './bell/bell.ts';
import { ringOthers, serveBell } from './bell/serve-bell.ts';
import { runDataLoops } from './backup/run-data-loops.ts';
import { defragmentAll, reconcileCare } from './care/reconcile-care.ts';
import { watchDisk } from './care/watch-disk.ts';
import { takeBackup } from './backup/take-backup.ts';
import { machineClock, type Clock } from './clock.ts';
import { etcdsOnNetwork } from './etcd/etcds.ts';
import { handOver } from './hand-over.ts';
import { Leadership } from './lease/leadership.ts';
import { reconcileLeadership, type LeadershipEnv } from './lease/reconcile-leadership.ts';
import { watchedFrom } from './membership/observe-membership.ts';
import { reconcileMembership, type MembershipMemory } from './membership/reconcile-membership.ts';
import type { ClusterMetrics } from './metrics/manager-metrics.ts';
import { thisMachine } from './own-machine.ts';
import { OwnMember } from './own-member.ts';
import { publishStatuses } from './publish-status.ts';
import { reconcileCluster } from './reconcile-cluster.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import { RestoreGate } from './restore/restore-gate.ts';
import { reconcileTakeover } from './takeover/reconcile-takeover.ts';
import { reconcileVersions } from './versions/reconcile-versions.ts';
import type { UnitRunner } from './units/unit-runner.ts';

export interface EtcdClusterEnv {
  readonly cluster: string;
  readonly address: string;
  readonly store: StateStore;
  readonly units: UnitRunner;
  readonly apiServer: ApiServer;
  readonly mainCluster?: EtcdClusterConfig;
  readonly log: Log;
  readonly metrics?: ClusterMetrics;
}

/**
 * Does everything that one machine does for one etcd cluster, until `signal` aborts: it runs its own member and, while it
 * holds the lease, acts for all members. Each concern is a loop of its own, so none waits for another. etcd keeps running
 * afterwards.
 */
export async function runEtcdCluster(
  config: EtcdClusterConfig,
  env: EtcdClusterEnv,
  signal: AbortSignal,
): Promise<void> {
  const own = new OwnMember();
  const leadership = new Leadership();
  const gate = new RestoreGate();
  const bell = new Bell();
  const process = randomUUID();
  const memory: MembershipMemory = { watched: watchedFrom(-1), advice: undefined };
  const about = (subject: string): Log => env.log.about(subject);
  const { backupPath } = config;
  const { metrics } = env;
  const loop = (
    part: string,
    run: (log: Log, inner: AbortSignal) => Promise<void>,
    log: Log = about(part),
  ): Promise<void> =>
    keepRunning(
      (inner) => run(log, inner),
      signal,
      log,
      (failure) => metrics?.onHealth(part, failure),
    );
  const outside = { ...env, clock: machineClock, etcds: etcdsOnNetwork };
  const data = {
    ...outside,
    ...(metrics && { onBackup: metrics.onBackup, onVerified: metrics.onVerified, onHealth: metrics.onHealth }),
    gate,
    bell,
    leadership,
    defrag: (asked: AbortSignal) => defragmentAll(config, env, asked),
  };
  await Promise.all([
    loop('member', (log, inner) => reconcileCluster(config, { ...env, log, gate, own }, inner), env.log),
    loop('status', (_, inner) =>
      publishStatuses(
        config,
        {
          ...outside,
          machine: thisMachine(config, env),
          own,
          leadership,
          bell,
          memory,
          ...(metrics && { onStatus: metrics.onStatus, onPublished: metrics.onPublished }),
        },
        inner,
      ),
    ),
    loop('lease', async (log, inner) => {
      await own.known(inner);
      const candidate = { ...candidateOf(own, gate, bell, machineClock), machine: env.address, process };
      await reconcileLeadership(leadership, { ...outside, ...candidate, log, backupPath }, inner);
    }),
    loop('membership', (log, inner) =>
      reconcileMembership(config, { ...outside, takeBackup, log, gate, own, leadership, bell, memory }, inner),
    ),
    loop('care', (log, inner) => reconcileCare(config, { ...env, log, gate, leadership }, inner)),
    loop('version', (log, inner) => reconcileVersions(config, { ...outside, log, gate, own, leadership, bell }, inner)),
    loop('takeover', (log, inner) => reconcileTakeover(config, { ...env, log, gate, own, leadership, bell }, inner)),
    loop('bell', async (_, inner) => {
      await own.known(inner);
      await serveBell(config, { ...env, bell }, inner);
    }),
    loop('ring', (_, inner) => ringOthers(config, { bell }, inner), about('bell')),
    loop('disk', (log, inner) => watchDisk(config, { ...env, log }, inner)),
    runDataLoops(config, data, signal),
    handOverAtEnd(config, env, signal),
  ]);
}

/** etcd goes on when this process ends, but not when the machine does. */
async function handOverAtEnd(config: EtcdClusterConfig, env: EtcdClusterEnv, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (await env.units.isMachineEnding()) await handOver(config, env);
}

/** This machine as a candidate for the lease. */
export function candidateOf(
  own: OwnMember,
  gate: RestoreGate,
  bell: Bell,
  clock: Clock,
): Pick<LeadershipEnv, 'own' | 'tell' | 'ringOnChange'> {
  return {
    own: () => ({
      member: own.member,
      // An etcd that a restore has stopped says nothing about the health of this machine.
      isWell: own.isWell(clock.nowMs()) || gate.etcd === 'stopped',
      othersLead: own.state?.othersLead === true,
      isBystander: gate.isBystander,
    }),
    tell: () => bell.tell(),
    ringOnChange: (wake: Wake): void => {
      own.ringOnChange(wake);
      // A new leader rings first of all to say that it leads.
      bell.ringOnNews(wake);
    },
  };
}

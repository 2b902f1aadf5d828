import type { EtcdManagerConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { leadsEtcd } from './backup/leads-etcd.ts';
import { reconcileBackups } from './backup/reconcile-backups.ts';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { reconcileCluster } from './reconcile-cluster.ts';
import type { UnitRunner } from './units/unit-runner.ts';

export interface AgentEnv {
  readonly store: StateStore;
  readonly units: UnitRunner;
  readonly log: Log;
}

/** Runs a loop for each etcd cluster and one for its backups, until the signal ends them. The etcds run on. */
export async function runAgent(config: EtcdManagerConfig, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { cluster, address } = config;
  const running = config.etcdClusters.flatMap((etcd) => {
    const log = env.log.about(etcd.name);
    const due = { isDue: false };
    const backups = log.about('backup');
    return [
      keepRunning((inner) => reconcileCluster(etcd, { ...env, cluster, address, log }, inner), signal, log),
      keepRunning(
        (inner) => {
          const leads = (asked: AbortSignal) => leadsEtcd(etcd, address, asked);
          return reconcileBackups(etcd, { due, cluster, address, store: env.store, log: backups, leads }, inner);
        },
        signal,
        backups,
      ),
    ];
  });
  await Promise.all(running);
}

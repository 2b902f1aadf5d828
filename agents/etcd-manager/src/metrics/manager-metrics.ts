import { Counter, Gauge, Registry } from 'prom-client';
import type { AgentMetrics } from '@kopsctl/agent/serve-metrics.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { BackupsEnv } from '../backup/reconcile-backups.ts';
import type { VerifiedBackup } from '../backup/verify-backup.ts';

/** Receives what the loops of one etcd cluster do. */
export interface ClusterMetrics {
  readonly onStatus: (status: MemberStatus) => void;
  readonly onBackup: NonNullable<BackupsEnv['onBackup']>;
  readonly onVerified: (result: VerifiedBackup) => void;
}

/** kops's etcd-manager uses this port for quarantined clients, which this etcd-manager does not need. */
export const METRICS_PORT = 3994;

/** The metrics of the agent, by etcd cluster. */
export interface ManagerMetrics extends AgentMetrics {
  of(etcdCluster: string): ClusterMetrics;
}

/** The metrics of all etcd clusters of this machine. Names follow prometheus.io/docs/practices/naming. */
export function managerMetrics(nowMs: () => number): ManagerMetrics {
  const registry = new Registry();
  const gauges = gaugesIn(registry);
  const failures = new Counter({
    name: 'etcd_manager_backup_failures_total',
    help: 'Number of backups and verifications that failed',
    labelNames: ['cluster', 'what'],
    registers: [registry],
  });
  const faults = new Map<string, string>();
  return {
    text: () => registry.metrics(),
    faults: () => [...faults].map(([cluster, fault]) => `${cluster}: ${fault}`),
    of: (cluster) => ({
      onStatus(status) {
        const { etcd } = status;
        const hasLeader = etcd?.leaderId !== undefined;
        gauges.isWell.set({ cluster }, hasLeader ? 1 : 0);
        gauges.isLeader.set({ cluster }, status.isLeader ? 1 : 0);
        gauges.members.set({ cluster }, status.members?.length ?? 0);
        if (etcd !== undefined) {
          gauges.dbSize.set({ cluster }, etcd.dbSizeBytes);
          if (etcd.dbInUseBytes !== undefined) gauges.dbInUse.set({ cluster }, etcd.dbInUseBytes);
          if (etcd.quotaBytes !== undefined) gauges.quota.set({ cluster }, etcd.quotaBytes);
          gauges.alarms.set({ cluster }, etcd.alarms.length);
        }
        const fault = status.problem ?? (hasLeader ? etcd.alarms.join(', ') : status.decision);
        if (fault === '') faults.delete(cluster);
        else faults.set(cluster, fault);
      },
      onBackup(outcome) {
        if ('failed' in outcome) return failures.inc({ cluster, what: 'backup' });
        const { storedBytes, durationMs } = outcome.saved.facts;
        gauges.backupAt.set({ cluster }, nowMs() / 1000);
        gauges.backupSize.set({ cluster }, storedBytes);
        gauges.backupSeconds.set({ cluster }, durationMs / 1000);
      },
      onVerified({ ok, durationMs }) {
        if (!ok) return failures.inc({ cluster, what: 'verify' });
        gauges.verifiedAt.set({ cluster }, nowMs() / 1000);
        gauges.verifiedSeconds.set({ cluster }, durationMs / 1000);
      },
    }),
  };
}

function gaugesIn(registry: Registry) {
  const gauge = (name: string, help: string): Gauge<'cluster'> =>
    new Gauge({ name: `etcd_manager_${name}`, help, labelNames: ['cluster'], registers: [registry] });
  return {
    isWell: gauge('member_has_leader', '1 while the etcd of this machine answers and knows a leader'),
    isLeader: gauge('is_leader', '1 while this manager acts for the whole etcd cluster'),
    members: gauge('members', 'Number of members that etcd lists'),
    dbSize: gauge('db_size_bytes', 'Size of the database file'),
    dbInUse: gauge('db_in_use_bytes', 'Size of the database file after a defragmentation'),
    quota: gauge('db_quota_bytes', 'Size of the database file at which etcd stops accepting writes'),
    alarms: gauge('alarms', 'Number of active alarms of the member of this machine'),
    backupAt: gauge('backup_last_success_timestamp_seconds', 'When this manager last completed a backup'),
    backupSize: gauge('backup_size_bytes', 'Size of the last backup in the store'),
    backupSeconds: gauge('backup_duration_seconds', 'How long the last backup took'),
    verifiedAt: gauge('backup_last_verified_timestamp_seconds', 'When a backup was last verified by restoring it'),
    verifiedSeconds: gauge('backup_verify_duration_seconds', 'How long the last verification took'),
  };
}

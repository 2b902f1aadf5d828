import { Counter, Gauge, Registry } from 'prom-client';
import type { AgentMetrics } from '@kopsctl/agent/serve-metrics.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { BackupsEnv } from '../backup/reconcile-backups.ts';
import type { VerifiedBackup } from '../backup/verify-backup.ts';

/** What one etcd cluster's loops tell the metrics. */
export interface ClusterMetrics {
  readonly onStatus: (status: MemberStatus) => void;
  readonly onBackup: NonNullable<BackupsEnv['onBackup']>;
  readonly onVerified: (result: VerifiedBackup) => void;
}

/** kops's etcd-manager has its port for quarantined clients here, which this one has no need of. */
export const METRICS_PORT = 3994;

export interface ManagerMetrics extends AgentMetrics {
  of(etcdCluster: string): ClusterMetrics;
}

/** The metrics of all etcd clusters of this machine. Names follow prometheus.io/docs/practices/naming. */
export function managerMetrics(nowMs: () => number): ManagerMetrics {
  const registry = new Registry();
  const gauge = (name: string, help: string): Gauge<'cluster'> =>
    new Gauge({ name: `etcd_manager_${name}`, help, labelNames: ['cluster'], registers: [registry] });
  const isWell = gauge('member_has_leader', '1 while the etcd of this machine answers and knows a leader');
  const isLeader = gauge('is_leader', '1 while this manager acts for the whole etcd cluster');
  const members = gauge('members', 'Members as etcd lists them');
  const dbSize = gauge('db_size_bytes', 'Size of the database file');
  const dbInUse = gauge('db_in_use_bytes', 'What a defragmented database would take');
  const quota = gauge('db_quota_bytes', 'Size at which etcd stops taking writes');
  const alarms = gauge('alarms', 'Alarms of the member of this machine');
  const backupAt = gauge('backup_last_success_timestamp_seconds', 'When this manager last completed a backup');
  const backupSize = gauge('backup_size_bytes', 'Size of the last backup as it is stored');
  const backupSeconds = gauge('backup_duration_seconds', 'How long the last backup took');
  const verifiedAt = gauge('backup_last_verified_timestamp_seconds', 'When a backup was last proven by restoring it');
  const verifiedSeconds = gauge('backup_verify_duration_seconds', 'How long that took');
  const failures = new Counter({
    name: 'etcd_manager_backup_failures_total',
    help: 'Backups and proofs that failed',
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
        isWell.set({ cluster }, hasLeader ? 1 : 0);
        isLeader.set({ cluster }, status.isLeader ? 1 : 0);
        members.set({ cluster }, status.members?.length ?? 0);
        if (etcd !== undefined) {
          dbSize.set({ cluster }, etcd.dbSizeBytes);
          if (etcd.dbInUseBytes !== undefined) dbInUse.set({ cluster }, etcd.dbInUseBytes);
          if (etcd.quotaBytes !== undefined) quota.set({ cluster }, etcd.quotaBytes);
          alarms.set({ cluster }, etcd.alarms.length);
        }
        const fault = status.problem ?? (hasLeader ? etcd.alarms.join(', ') : status.decision);
        if (fault === '') faults.delete(cluster);
        else faults.set(cluster, fault);
      },
      onBackup(outcome) {
        if ('failed' in outcome) return failures.inc({ cluster, what: 'backup' });
        const { storedBytes, durationMs } = outcome.saved.facts;
        backupAt.set({ cluster }, nowMs() / 1000);
        backupSize.set({ cluster }, storedBytes);
        backupSeconds.set({ cluster }, durationMs / 1000);
      },
      onVerified({ ok, durationMs }) {
        if (!ok) return failures.inc({ cluster, what: 'verify' });
        verifiedAt.set({ cluster }, nowMs() / 1000);
        verifiedSeconds.set({ cluster }, durationMs / 1000);
      },
    }),
  };
}

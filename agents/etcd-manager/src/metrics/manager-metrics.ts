import { Counter, Gauge, Registry } from 'prom-client';
import type { AgentMetrics } from '@kopsctl/agent/serve-metrics.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { BackupsEnv } from '../backup/reconcile-backups.ts';
import type { VerifiedBackup } from '../backup/verify-backup.ts';
import type { Clock } from '../clock.ts';
import { type ClusterHealth, clusterFaults } from './cluster-faults.ts';

/** Receives what the loops of one etcd cluster do. */
export interface ClusterMetrics {
  /** Undefined while the volume is not there. */
  readonly onStatus: (status: MemberStatus | undefined) => void;
  /** The store has accepted the latest status. */
  readonly onPublished: () => void;
  /** Called with each failure of a loop, and with undefined once it works again. */
  readonly onHealth: (part: string, failure: string | undefined) => void;
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
export function managerMetrics(clock: Pick<Clock, 'nowMs' | 'wallMs'>): ManagerMetrics {
  const registry = new Registry();
  const gauges = gaugesIn(registry);
  const failures = new Counter({
    name: 'etcd_manager_backup_failures_total',
    help: 'Number of backups and verifications that failed',
    labelNames: ['cluster', 'what'],
    registers: [registry],
  });
  const clusters = new Map<string, ClusterHealth>();
  return {
    text: () => registry.metrics(),
    faults: () =>
      [...clusters].flatMap(([cluster, health]) =>
        clusterFaults(health, clock.nowMs()).map((fault) => `${cluster}: ${fault}`),
      ),
    of(cluster) {
      let health: ClusterHealth = { status: undefined, publishedMs: undefined, failures: new Map() };
      const change = (more: Partial<ClusterHealth>): void => {
        health = { ...health, ...more };
        clusters.set(cluster, health);
        showStatus(gauges, cluster, health.status);
      };
      change({});
      return {
        onStatus: (status) => change({ status, ...(status === undefined && { publishedMs: undefined }) }),
        onPublished: () => change({ publishedMs: clock.nowMs() }),
        onHealth(part, failure) {
          const others = [...health.failures].filter(([name]) => name !== part);
          change({ failures: new Map(failure === undefined ? others : [...others, [part, failure]]) });
        },
        onBackup(outcome) {
          if ('failed' in outcome) return failures.inc({ cluster, what: 'backup' });
          const { storedBytes, durationMs } = outcome.saved.facts;
          gauges.backupAt.set({ cluster }, clock.wallMs() / 1000);
          gauges.backupSize.set({ cluster }, storedBytes);
          gauges.backupSeconds.set({ cluster }, durationMs / 1000);
        },
        onVerified({ ok, durationMs }) {
          if (!ok) return failures.inc({ cluster, what: 'verify' });
          gauges.verifiedAt.set({ cluster }, clock.wallMs() / 1000);
          gauges.verifiedSeconds.set({ cluster }, durationMs / 1000);
        },
      };
    },
  };
}

/** What is not known has no value, rather than the last one. */
function showStatus(gauges: ReturnType<typeof gaugesIn>, cluster: string, status: MemberStatus | undefined): void {
  const { etcd } = status ?? {};
  const show = (gauge: Gauge<'cluster'>, value: number | undefined): void => {
    if (value === undefined) gauge.remove({ cluster });
    else gauge.set({ cluster }, value);
  };
  show(gauges.isWell, etcd?.leaderId === undefined ? 0 : 1);
  show(gauges.isLeader, status?.isLeader === true ? 1 : 0);
  show(gauges.members, status?.members?.length);
  show(gauges.dbSize, etcd?.dbSizeBytes);
  show(gauges.dbInUse, etcd?.dbInUseBytes);
  show(gauges.quota, etcd?.quotaBytes);
  show(gauges.alarms, etcd?.alarms.length);
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

import { BACKUP_INTERVAL_VARIABLE, LOG_LEVEL_VARIABLE, POLL_INTERVAL_VARIABLE } from '@kopsctl/spec/etcd-defaults.ts';
import type { EtcdManagerSpec } from '@kopsctl/spec/schema/etcd.ts';

interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * The environment of an etcd-manager. Fields of the spec that are its settings become variables, named as in kops; a
 * variable that the spec names itself wins.
 */
export function managerEnv(manager: EtcdManagerSpec = {}): readonly Variable[] {
  const own = (manager.env ?? []).map(({ name = '', value = '' }) => ({ name, value }));
  const { backupInterval, backupRetentionDays, discoveryPollInterval, listenMetricsURLs = [], logLevel } = manager;
  const fields = [
    ...(backupInterval === undefined ? [] : [{ name: BACKUP_INTERVAL_VARIABLE, value: backupInterval }]),
    ...(backupRetentionDays === undefined
      ? []
      : [{ name: 'ETCD_MANAGER_DAILY_BACKUPS_RETENTION', value: `${backupRetentionDays}d` }]),
    ...(discoveryPollInterval === undefined ? [] : [{ name: POLL_INTERVAL_VARIABLE, value: discoveryPollInterval }]),
    ...(logLevel === undefined ? [] : [{ name: LOG_LEVEL_VARIABLE, value: String(logLevel) }]),
    ...(listenMetricsURLs.length === 0
      ? []
      : [{ name: 'ETCD_LISTEN_METRICS_URLS', value: listenMetricsURLs.join(',') }]),
  ];
  return [...own, ...fields.filter(({ name }) => !own.some((one) => one.name === name))];
}

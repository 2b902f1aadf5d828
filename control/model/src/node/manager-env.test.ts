import { expect, test } from 'vitest';
import { managerEnv } from './manager-env.ts';

test('how often backups are taken and how long they are kept reach etcd-manager', () => {
  expect(managerEnv({ backupInterval: '1h0m0s', backupRetentionDays: 30 })).toEqual([
    { name: 'ETCD_MANAGER_BACKUP_INTERVAL', value: '1h0m0s' },
    { name: 'ETCD_MANAGER_DAILY_BACKUPS_RETENTION', value: '30d' },
  ]);
});

test('how much etcd-manager logs and how often it looks at the members reach it', () => {
  expect(managerEnv({ discoveryPollInterval: '5s', logLevel: 8 })).toEqual([
    { name: 'ETCD_MANAGER_DISCOVERY_POLL_INTERVAL', value: '5s' },
    { name: 'ETCD_MANAGER_LOG_LEVEL', value: '8' },
  ]);
});

test('a variable that the spec names itself wins over a field', () => {
  const env = [{ name: 'ETCD_MANAGER_BACKUP_INTERVAL', value: '2h' }];
  expect(managerEnv({ env, backupInterval: '1h' })).toEqual(env);
});

test('a manager without settings has no environment', () => {
  expect(managerEnv()).toEqual([]);
});

test('etcd serves its figures where the spec says', () => {
  expect(managerEnv({ listenMetricsURLs: ['http://127.0.0.1:8081', 'http://127.0.0.1:8082'] })).toEqual([
    { name: 'ETCD_LISTEN_METRICS_URLS', value: 'http://127.0.0.1:8081,http://127.0.0.1:8082' },
  ]);
});

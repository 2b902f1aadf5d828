import { expect, test } from 'vitest';
import { validateEtcdVariables } from './etcd-variables.ts';

const refused = (...names: readonly string[]): readonly string[] =>
  [...validateEtcdVariables({ env: names.map((name) => ({ name, value: 'true' })) }, 'manager')].map(
    ({ path, message }) => `${path}: ${message}`,
  );

test('a variable may not take from etcd-manager what it decides: a member that forms a new cluster loses the data', () => {
  expect(refused('ETCD_QUOTA_BACKEND_BYTES', 'ETCD_FORCE_NEW_CLUSTER')).toEqual([
    'manager.env[1].name: etcd-manager decides ETCD_FORCE_NEW_CLUSTER itself',
  ]);
  expect(refused('ETCD_LISTEN_CLIENT_HTTP_URLS', 'ETCD_CLIENT_CERT_AUTH', 'ETCD_DISCOVERY_SRV')).toHaveLength(3);
  expect(refused('ETCD_INITIAL_CLUSTER', 'ETCD_PEER_CERT_FILE', 'ETCD_DATA_DIR')).toHaveLength(3);
});

test('how etcd works is for the spec to say', () => {
  expect(
    refused(
      'ETCD_LISTEN_METRICS_URLS',
      'ETCD_HEARTBEAT_INTERVAL',
      'ETCD_INITIAL_ELECTION_TICK_ADVANCE',
      'ETCD_CIPHER_SUITES',
      'ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK',
      'ETCD_MANAGER_BACKUP_INTERVAL',
      'GODEBUG',
    ),
  ).toEqual([]);
});

import { expect, test } from 'vitest';
import type { EtcdManagerConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseConfig } from './config.ts';

const CONFIG: EtcdManagerConfig = {
  cluster: 'demo.example.com',
  cloud: 'local',
  stateStore: 's3://state',
  address: '172.30.0.2',
  etcdClusters: [
    {
      name: 'main',
      mountPoint: '/mnt/etcd-main',
      members: ['a', 'b', 'c'],
      memberHost: 'etcd-<member>.internal.demo.example.com',
      serverNames: ['api.internal.demo.example.com'],
      clientPort: 4001,
      peerPort: 2380,
      etcdVersion: '3.5.16',
      binDir: '/opt/etcd-v3.5.16',
      binaries: [{ version: '3.5.16', binDir: '/opt/etcd-v3.5.16' }],
      backupPath: 'demo.example.com/backups/etcd/main',
      peersCa: 'etcd-peers-ca-main',
      clientsCa: 'etcd-clients-ca',
      env: [{ name: 'ETCD_UNSET', value: '' }],
    },
  ],
};

test('a configuration is read completely', () => {
  expect(parseConfig(JSON.stringify(CONFIG))).toEqual(CONFIG);
});

test('every field that is missing or malformed is named', () => {
  const [main] = CONFIG.etcdClusters;
  const broken = { ...main, clientPort: '4001', members: [1], env: [{ name: 'X' }], binDir: undefined };
  const text = JSON.stringify({ ...CONFIG, address: '', etcdClusters: [main, broken] });
  expect(() => parseConfig(text)).toThrow(
    'these fields are missing or malformed: address, etcdClusters[1].members, etcdClusters[1].clientPort, etcdClusters[1].binDir, etcdClusters[1].env[0].value',
  );
  expect(() => parseConfig('[]')).toThrow('cluster, cloud, stateStore, address, etcdClusters');
  expect(() => parseConfig('{')).toThrow(SyntaxError);
});

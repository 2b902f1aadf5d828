import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { CiliumNetworking, ClusterSpec } from '../cluster.ts';
import { completeCluster } from '../complete.ts';
import { explainPath } from '../explain.ts';

function origin(path: string, spec: ClusterSpec): string | undefined {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { cloudProvider: 'aws', kubernetesVersion: '1.36.3', ...spec },
  } as const;
  const { origins, withoutValue, ...completed } = completeCluster(
    { cluster, instanceGroups: [] },
    { stateStoreUrl: 's3://state' },
    specCloud(cluster),
  );
  const completion = {
    written: cluster,
    completed: completed.cluster,
    origins: origins.cluster,
    withoutValue: withoutValue.cluster,
  };
  return explainPath('Cluster', path, completion)[0]?.origin;
}

test.each<readonly [CiliumNetworking, string]>([
  [{ ingress: {} }, 'no value here: cilium-ingress, the default of Cilium'],
  [{ ingress: { sharedLoadBalancerServiceName: 'front' } }, 'set by you'],
  [{ ingress: { enabled: false } }, 'not set, and no rule sets it'],
  [{}, 'not set, and no rule sets it'],
])('with Cilium as in %j, explain tells what names the Service that Ingresses share', (cilium, expected) => {
  const path = 'spec.networking.cilium.ingress.sharedLoadBalancerServiceName';
  expect(origin(path, { networking: { cilium } })).toBe(expected);
});

test.each([
  [undefined, 'no value here: 15m0s, the default of etcd-manager'],
  [
    { env: [{ name: 'ETCD_MANAGER_BACKUP_INTERVAL', value: '2h' }] },
    'no value here: 2h, as ETCD_MANAGER_BACKUP_INTERVAL in manager.env says',
  ],
  [
    { env: [{ name: 'ETCD_MANAGER_BACKUP_INTERVAL', value: 'soon' }] },
    'no value here: 15m0s, the default of etcd-manager',
  ],
  [{ backupInterval: '1h0m0s' }, 'set by you'],
])('with the manager %j, explain tells how often etcd-manager backs up', (manager, expected) => {
  const etcdClusters = [{ name: 'main' }, { name: 'events', ...(manager && { manager }) }];
  expect(origin('spec.etcdClusters[1].manager.backupInterval', { etcdClusters })).toBe(expected);
  expect(origin('spec.etcdClusters[2].manager.backupInterval', { etcdClusters })).toBe('not set, and no rule sets it');
});

test.each<readonly [NonNullable<ClusterSpec['externalDns']>, string]>([
  [{ provider: 'external-dns' }, 'no value here: external-dns publishes the names of Ingresses unless it is false'],
  [{ provider: 'external-dns', watchIngress: false }, 'set by you'],
  [{ provider: 'dns-controller' }, 'not set, and no rule sets it'],
])('with externalDns as in %j, explain tells whether names of Ingresses are published', (externalDns, expected) => {
  expect(origin('spec.externalDns.watchIngress', { externalDns })).toBe(expected);
});

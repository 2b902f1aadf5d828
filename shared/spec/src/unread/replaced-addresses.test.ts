import { expect, test } from 'vitest';
import type { Cluster, ClusterSpec } from '../cluster.ts';
import { replacedAddresses } from './replaced-addresses.ts';

const cluster = (spec: ClusterSpec): Cluster => ({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec });

const told = (kubeAPIServer: NonNullable<ClusterSpec['kubeAPIServer']>, completed: ClusterSpec = {}) =>
  replacedAddresses(cluster({ kubeAPIServer }), cluster(completed)).map(({ path, message }) => `${path}: ${message}`);

test('names addresses of API servers that a person writes and that are replaced, with what they are', () => {
  const etcdClusters = [{ name: 'main' }];
  expect(told({ securePort: 8443, etcdServers: ['http://127.0.0.1:4001'] }, { etcdClusters })).toEqual([
    'spec.kubeAPIServer.securePort: it is replaced, as by kops: API servers of this cluster have 443',
    'spec.kubeAPIServer.etcdServers: it is replaced, as by kops: API servers of this cluster have https://127.0.0.1:4001',
  ]);
  expect(told({ etcdServersOverrides: ['/events#http://127.0.0.1:4002'] }, { etcdClusters })).toEqual([
    'spec.kubeAPIServer.etcdServersOverrides: it is replaced, as by kops: API servers of this cluster have none',
  ]);
});

test("says nothing of the addresses that API servers have, which kops's completed specs hold", () => {
  const etcdClusters = [{ name: 'main' }, { name: 'events' }];
  const usual = { bindAddress: '0.0.0.0', securePort: 443, etcdServers: ['https://127.0.0.1:4001'] };
  expect(told({ ...usual, etcdServersOverrides: ['/events#https://127.0.0.1:4002'] }, { etcdClusters })).toEqual([]);
  expect(told({ bindAddress: '::' }, { nonMasqueradeCIDR: '::/0' })).toEqual([]);
  expect(told({})).toEqual([]);
});

import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from './cluster.ts';
import { wishesLeftOut } from './left-out.ts';

const told = (spec: ClusterSpec): readonly string[] =>
  wishesLeftOut({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, specCloud({ spec })).map(
    ({ path }) => path,
  );

test('what a cluster goes without is told by the name of the field, what it has or does not wish is not', () => {
  expect(told({ cloudProvider: 'aws', clusterAutoscaler: { enabled: true }, karpenter: { enabled: false } })).toEqual(
    [],
  );
  expect(
    told({
      cloudProvider: 'gce',
      authentication: { aws: {} },
      clusterAutoscaler: { enabled: true },
      karpenter: { enabled: true },
    }),
  ).toEqual(['spec.authentication.aws', 'spec.karpenter', 'spec.clusterAutoscaler']);
  expect(told({ networking: { amazonvpc: {} } })).toEqual([]);
});

test.each<readonly [string, ClusterSpec, string]>([
  ['a setting of old API servers', { kubeAPIServer: { basicAuthFile: '/x' } }, 'spec.kubeAPIServer.basicAuthFile'],
  ['a setting of old kubelets', { masterKubelet: { apiServers: 'x' } }, 'spec.masterKubelet.apiServers'],
  ['a network that is not made', { networking: { weave: {} } }, 'spec.networking.weave'],
  ['Cilium beside the network of GCE', { networking: { gce: { cilium: {} } } }, 'spec.networking.gce.cilium'],
  ['IPv6 without', { nonMasqueradeCIDR: '::/0', networking: { flannel: {} } }, 'spec.networking.flannel'],
  ['an etcd of Cilium', { networking: { cilium: { etcdManaged: true } } }, 'spec.networking.cilium.etcdManaged'],
  [
    'keys of ipsec',
    { networking: { cilium: { enableEncryption: true, encryptionType: 'ipsec' } } },
    'spec.networking.cilium.enableEncryption',
  ],
  [
    'two that do the work of kube-proxy',
    { networking: { cilium: { enableNodePort: true } } },
    'spec.networking.cilium.enableNodePort',
  ],
])('of pod networks it is told what is left to others: %s', (_, spec, path) => {
  expect(told(spec)).toEqual([path]);
});

test('a network that is installed as it is wished is not spoken of', () => {
  const kubeProxy = { enabled: false };
  expect(told({ kubeProxy, networking: { cilium: { enableNodePort: true } } })).toEqual([]);
  expect(told({ networking: { calico: {} }, nonMasqueradeCIDR: '::/0' })).toEqual([]);
});

test('a default class that nobody makes is told, one that is made or brought is not', () => {
  const wished = (defaultStorageClassName: string, manageStorageClasses?: boolean): ClusterSpec => ({
    cloudConfig: {
      gcpPDCSIDriver: { enabled: true, defaultStorageClassName },
      ...(manageStorageClasses === undefined ? {} : { manageStorageClasses }),
    },
  });
  expect(told(wished('fast'))).toEqual(['spec.cloudConfig.gcpPDCSIDriver.defaultStorageClassName']);
  expect(told(wished('ssd-csi'))).toEqual([]);
  expect(told(wished('fast', false))).toEqual([]);
});

import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from './cluster.ts';
import { wishesLeftOut } from './left-out.ts';

const told = (spec: ClusterSpec): readonly string[] =>
  wishesLeftOut({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, specCloud({ spec })).map(
    ({ path }) => path,
  );

test('names the fields of a cluster that have no effect, and only those', () => {
  expect(told({ cloudProvider: 'aws', clusterAutoscaler: { enabled: true }, karpenter: { enabled: true } })).toEqual(
    [],
  );
  expect(
    told({
      cloudProvider: 'gce',
      authentication: { aws: {} },
      clusterAutoscaler: { enabled: true },
      externalDns: { provider: 'external-dns' },
    }),
  ).toEqual(['spec.authentication.aws']);
  expect(
    told({
      cloudProvider: 'metal',
      clusterAutoscaler: { enabled: true },
      externalDns: { provider: 'external-dns' },
    }),
  ).toEqual(['spec.clusterAutoscaler', 'spec.externalDns']);
  expect(told({ networking: { amazonvpc: {} } })).toEqual([]);
});

test.each<readonly [string, ClusterSpec, string]>([
  ['a setting of old API servers', { kubeAPIServer: { basicAuthFile: '/x' } }, 'spec.kubeAPIServer.basicAuthFile'],
  ['a setting of old kubelets', { masterKubelet: { apiServers: 'x' } }, 'spec.masterKubelet.apiServers'],
  ['a network that is not installed', { networking: { weave: {} } }, 'spec.networking.weave'],
  [
    "Ingresses beside kube-proxy's Services",
    { networking: { cilium: { ingress: { enabled: true } } } },
    'spec.networking.cilium.ingress',
  ],
  [
    'Gateways without the proxy',
    { networking: { cilium: { enableNodePort: true, enableL7Proxy: false, gatewayAPI: { enabled: true } } } },
    'spec.networking.cilium.gatewayAPI',
  ],
])('reports settings of pod networks that have no effect: %s', (_, spec, path) => {
  expect(told(spec)).toEqual([path]);
});

test('reports that pods with IPv6 alone do not reach everything by the DNS server of old', () => {
  expect(told({ nonMasqueradeCIDR: '::/0', kubeDNS: { provider: 'KubeDNS' } })).toEqual(['spec.kubeDNS.provider']);
  expect(told({ nonMasqueradeCIDR: '::/0', kubeDNS: { provider: 'CoreDNS' } })).toEqual([]);
  expect(told({ kubeDNS: { provider: 'KubeDNS' } })).toEqual([]);
});

test('does not mention a network that is installed', () => {
  const kubeProxy = { enabled: false };
  expect(told({ kubeProxy, networking: { cilium: { enableNodePort: true } } })).toEqual([]);
  expect(told({ kubeProxy, networking: { kuberouter: {} } })).toEqual([]);
  expect(told({ networking: { cilium: { etcdManaged: true, identityAllocationMode: 'kvstore' } } })).toEqual([]);
  const served = { enableNodePort: true, gatewayAPI: { enabled: true }, ingress: { enabled: true } };
  expect(told({ kubeProxy, networking: { cilium: served } })).toEqual([]);
  expect(told({ networking: { calico: {} }, nonMasqueradeCIDR: '::/0' })).toEqual([]);
});

import { expect, test } from 'vitest';
import type { CiliumNetworking, ClusterSpec } from '../cluster.ts';
import { validateCilium } from './cilium.ts';

const faultsOf = (cilium: CiliumNetworking, spec: ClusterSpec = {}) =>
  [...validateCilium({ ...spec, networking: { cilium } })].map(
    ({ path, message }) => `${path.replace('spec.networking.cilium.', '')}: ${message}`,
  );

test.each<readonly [CiliumNetworking, ClusterSpec]>([
  [{}, {}],
  [{ version: 'v1.18.4', tunnel: 'geneve' }, {}],
  [{ enableNodePort: true }, { kubeProxy: { enabled: false } }],
  [{ bpfLBSock: true, bpfLBSockHostNSOnly: true }, {}],
  [{ enableEncryption: true, encryptionType: 'wireguard' }, {}],
  [{ hubble: { enabled: true } }, { certManager: { enabled: true } }],
  [{ etcdManaged: true, identityAllocationMode: 'kvstore' }, { etcdClusters: [{ name: 'main' }, { name: 'cilium' }] }],
  [{ IPTablesRulesNoinstall: true, enableL7Proxy: false }, {}],
  // Before completion, the etcd clusters may not be known.
  [{ etcdManaged: true }, {}],
  [{ ingress: { defaultLoadBalancerMode: 'one' } }, {}],
])('Cilium with %j is installed in a cluster with %j', (cilium, spec) => {
  expect(faultsOf(cilium, spec)).toEqual([]);
});

test.each<readonly [CiliumNetworking, ClusterSpec, string]>([
  [{ version: '1.18.4' }, {}, "version: '1.18.4' is not a version of Cilium"],
  [{ version: 'v1.18' }, {}, "version: 'v1.18' is not a version of Cilium"],
  [{ version: 'v1.7.0' }, {}, 'version: the addon is not made for Cilium v1.7.0'],
  [{ version: 'v1.30.0' }, {}, 'version: the addon is not made for Cilium v1.30.0'],
  [{ enableNodePort: true }, {}, 'enableNodePort: it replaces kube-proxy, which is still enabled'],
  [
    { enableNodePort: true },
    { kubeProxy: { enabled: true } },
    'enableNodePort: it replaces kube-proxy, which is still enabled',
  ],
  [{ clusterID: 256 }, {}, 'clusterID: 256 is not the number of a cluster in a mesh'],
  [{ bpfLBSockHostNSOnly: true }, {}, 'bpfLBSockHostNSOnly: limits bpfLBSock, which is off'],
  [{ encryptionType: 'ipsec' }, {}, 'encryptionType: nothing is encrypted'],
  [{ hubble: { enabled: true } }, {}, 'hubble.enabled: needs certificates, which cert-manager makes'],
  [{ identityAllocationMode: 'kvstore' }, {}, 'identityAllocationMode: kvstore is an etcd, and Cilium has none'],
  [
    { etcdManaged: true },
    { etcdClusters: [{ name: 'main' }, { name: 'events' }] },
    "etcdManaged: there is no etcd cluster called 'cilium'",
  ],
  [
    { IPTablesRulesNoinstall: true },
    {},
    'IPTablesRulesNoinstall: the proxy for policies of layer 7 gets its packets by these rules',
  ],
  [
    { enableEncryption: true },
    { nonMasqueradeCIDR: '::/0' },
    'enableEncryption: pods that have only IPv6 are not encrypted',
  ],
  [
    { ipam: 'eni' },
    { nonMasqueradeCIDR: '::/0' },
    'ipam: eni gives pods IPv4 addresses of the VPC, and this cluster has only IPv6',
  ],
  [
    { ingress: { enabled: true, defaultLoadBalancerMode: 'one' } },
    {},
    "ingress.defaultLoadBalancerMode: expected one of shared, dedicated, found 'one'",
  ],
])('Cilium with %j is refused in a cluster with %j', (cilium, spec, expected) => {
  expect(faultsOf(cilium, spec)).toEqual([expected]);
});

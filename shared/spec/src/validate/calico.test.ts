import { expect, test } from 'vitest';
import type { CalicoNetworking, ClusterSpec } from '../cluster.ts';
import { validateCalico } from './calico.ts';

const faultsOf = (calico: CalicoNetworking, spec: ClusterSpec = {}) =>
  [...validateCalico({ ...spec, networking: { calico } })].map(
    ({ path, message }) => `${path.replace('spec.networking.calico.', '')}: ${message}`,
  );

const IPV6 = { nonMasqueradeCIDR: '::/0' };

test.each<readonly [CalicoNetworking, ClusterSpec]>([
  [{}, {}],
  [{ encapsulationMode: 'vxlan', ipipMode: 'Never', vxlanMode: 'CrossSubnet' }, {}],
  [{ encapsulationMode: 'none', awsSrcDstCheck: 'DoNothing' }, IPV6],
  [{ bpfEnabled: true }, { kubeProxy: { enabled: false } }],
  [{ ipv4AutoDetectionMethod: 'first-found', ipv6AutoDetectionMethod: 'none' }, {}],
  [{ ipv4AutoDetectionMethod: 'can-reach=8.8.8.8', ipv6AutoDetectionMethod: 'can-reach=2001:db8::1' }, {}],
  [{ ipv4AutoDetectionMethod: 'interface=eth0, en.*', ipv6AutoDetectionMethod: 'skip-interface=docker.*' }, {}],
  [{ ipv4AutoDetectionMethod: 'cidr=10.0.0.0/8,192.168.0.0/16' }, {}],
])('Calico with %j is installed in a cluster with %j', (calico, spec) => {
  expect(faultsOf(calico, spec)).toEqual([]);
});

test.each<readonly [CalicoNetworking, ClusterSpec, string]>([
  [{ encapsulationMode: 'none' }, {}, 'encapsulationMode: without a tunnel, nothing routes IPv4 to pods'],
  [{ encapsulationMode: 'vxlan' }, IPV6, 'encapsulationMode: vxlan does not carry IPv6, which is all that pods have'],
  [{ encapsulationMode: 'vxlan', ipipMode: 'Always' }, {}, 'ipipMode: Always needs encapsulationMode ipip, not vxlan'],
  [
    { encapsulationMode: 'ipip', vxlanMode: 'CrossSubnet' },
    {},
    'vxlanMode: CrossSubnet needs encapsulationMode vxlan, not ipip',
  ],
  [{ awsSrcDstCheck: 'Disable' }, IPV6, 'awsSrcDstCheck: Disable does not apply to IPv6'],
  [{ bpfEnabled: true }, {}, 'bpfEnabled: it replaces kube-proxy, which is still enabled'],
  [{ wireguardEnabled: true }, IPV6, 'wireguardEnabled: pods that have only IPv6 are not encrypted'],
  [{ typhaReplicas: -1 }, {}, 'typhaReplicas: -1 is negative'],
])('Calico with %j is refused in a cluster with %j', (calico, spec, expected) => {
  expect(faultsOf(calico, spec)).toEqual([expected]);
});

test.each(['eth0', 'first-found=eth0', 'interface=', 'can-reach=2001:db8::1', 'can-reach=a=b', 'cidr=ten'])(
  '%s is not a way to find an IPv4 address',
  (method) => {
    expect(faultsOf({ ipv4AutoDetectionMethod: method })).toEqual([
      `ipv4AutoDetectionMethod: '${method}' is not a way to find the ipv4 address of a machine`,
    ]);
  },
);

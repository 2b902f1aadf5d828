import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec, NetworkingSpec } from '../cluster.ts';
import { validatePodNetwork } from './pod-network.ts';

function faults(spec: ClusterSpec): readonly string[] {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec } as const;
  return [...validatePodNetwork(cluster, specCloud(cluster))].map(
    ({ path, message }) => `${path.replace('spec.networking', '')} ${message}`,
  );
}

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  ['a supported network', { networking: { calico: {} } }, []],
  [
    'a range of kindnet that is none',
    { networking: { kindnet: { masquerade: { nonMasqueradeCIDRs: ['10.0.0.0/8', 'ten'] } } } },
    [".kindnet.masquerade.nonMasqueradeCIDRs[1] 'ten' is not a range of addresses"],
  ],
  ['no network', { networking: {} }, [' names no pod network']],
  ['two networks', { networking: { calico: {}, cni: {} } }, [' names 2 pod networks: calico, cni']],
  [
    'the network of AWS in another cloud',
    { cloudProvider: 'gce', networking: { amazonvpc: {} } },
    [".amazonvpc gives pods addresses of the machines' network, which gce does not"],
  ],
  ['kube-router in the place of kube-proxy', { kubeProxy: { enabled: false }, networking: { kuberouter: {} } }, []],
  [
    'kube-router beside kube-proxy',
    { kubeProxy: { enabled: true }, networking: { kuberouter: {} } },
    ['.kuberouter it replaces kube-proxy, which is still enabled'],
  ],
  [
    'kube-router with IPv6 alone',
    { cloudProvider: 'aws', kubeProxy: { enabled: false }, networking: { kuberouter: {} }, nonMasqueradeCIDR: '::/0' },
    ['.kuberouter gives pods IPv4 addresses, and this cluster has only IPv6 (spec.nonMasqueradeCIDR)'],
  ],
  ...['amazonvpc', 'flannel', 'kubenet'].map(
    (network) =>
      [
        `${network} with IPv6 alone`,
        { cloudProvider: 'aws', nonMasqueradeCIDR: '::/0', networking: { [network]: {} } },
        [`.${network} gives pods IPv4 addresses, and this cluster has only IPv6 (spec.nonMasqueradeCIDR)`],
      ] as const,
  ),
  ...['calico', 'cilium', 'cni', 'kindnet'].map(
    (network) =>
      [
        `${network} with IPv6 alone`,
        { cloudProvider: 'aws', nonMasqueradeCIDR: '::/0', networking: { [network]: {} } },
        [],
      ] as const,
  ),
  [
    'IPv6 alone in another cloud',
    { cloudProvider: 'gce', nonMasqueradeCIDR: '::/0', networking: { cilium: {} } },
    ['spec.nonMasqueradeCIDR nodes get no IPv6 ranges for their pods in gce'],
  ],
])('rejects unsupported pod networks: %s', (_, spec, expected) => {
  expect(faults(spec)).toEqual(expected);
});

test.each<readonly [keyof NetworkingSpec, string | undefined]>([
  ['canal', '1.28'],
  ['external', '1.26'],
  ['classic', undefined],
  ['lyftvpc', undefined],
  ['romana', undefined],
  ['weave', '1.23'],
])('refuses %s from the version on from which kops does', (network, since) => {
  const of = (kubernetesVersion: string) => faults({ kubernetesVersion, networking: { [network]: {} } });
  const where = since === undefined ? '' : ` with Kubernetes ${since} or newer`;
  const refused = [`.${network} neither kopsctl nor kops supports this network${where}`];
  expect(of('v1.36.0')).toEqual(refused);
  expect(of(`${since ?? '1.20'}.0`)).toEqual(refused);
  expect(of('1.22.17')).toEqual(since === undefined ? refused : []);
});

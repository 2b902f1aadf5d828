import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validatePodNetwork } from './pod-network.ts';

function faults(spec: ClusterSpec): readonly string[] {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec } as const;
  return [...validatePodNetwork(cluster, specCloud(cluster))].map(
    ({ path, message }) => `${path.replace('spec.networking', '')} ${message}`,
  );
}

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  ['a supported network', { networking: { calico: {} } }, []],
  ['no network', { networking: {} }, [' names no pod network']],
  ['two networks', { networking: { calico: {}, cni: {} } }, [' names 2 pod networks: calico, cni']],
  [
    'the network of AWS in another cloud',
    { cloudProvider: 'gce', networking: { amazonvpc: {} } },
    [".amazonvpc gives pods addresses of the machines' network, which gce does not"],
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

import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validatePodNetwork } from './pod-network.ts';

function faults(spec: ClusterSpec): readonly string[] {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec } as const;
  return [...validatePodNetwork(cluster)].map(
    ({ path, message }) => `${path.replace('spec.networking', '')} ${message}`,
  );
}

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  ['what is made', { networking: { calico: {} } }, []],
  ['a network that is not made', { networking: { weave: {} } }, ['.weave is not installed by this suite']],
  ['no network', { networking: {} }, [' names no pod network']],
  ['two networks', { networking: { calico: {}, cni: {} } }, [' names 2 pod networks: calico, cni']],
  [
    'AWS elsewhere',
    { cloudProvider: 'gce', networking: { amazonvpc: {} } },
    ['.amazonvpc gives pods addresses of a VPC, which AWS alone has'],
  ],
  [
    'IPv6 without',
    { cloudProvider: 'aws', nonMasqueradeCIDR: '::/0', networking: { flannel: {} } },
    ['.flannel has no IPv6 here'],
  ],
  [
    'an unknown tunnel',
    { networking: { flannel: { backend: 'gre' } } },
    [".flannel.backend expected one of udp, vxlan, found 'gre'"],
  ],
  [
    'two that do the work of kube-proxy',
    { networking: { cilium: { enableNodePort: true } } },
    ['.cilium.enableNodePort does the work of kube-proxy, which runs too'],
  ],
  ['one that does', { kubeProxy: { enabled: false }, networking: { cilium: { enableNodePort: true } } }, []],
  [
    'Hubble without certificates',
    { networking: { cilium: { hubble: { enabled: true } } } },
    ['.cilium.hubble.enabled needs certificates, which cert-manager makes'],
  ],
  [
    'what Cilium has and we do not',
    { networking: { cilium: { etcdManaged: true, enableEncryption: true, encryptionType: 'ipsec' } } },
    [
      '.cilium.encryptionType only wireguard is carried out: the keys of ipsec are kept nowhere here',
      '.cilium.etcdManaged is not carried out by this suite',
    ],
  ],
])('a choice of pod network that is not carried out is refused: %s', (_, spec, expected) => {
  expect(faults(spec)).toEqual(expected);
});

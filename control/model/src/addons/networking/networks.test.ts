import { expect, test } from 'vitest';
import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { awsFacts } from '../testdata/aws-facts.ts';
import { networkAddons } from './network-addons.ts';

/** All objects of a network, as text. */
function rendered(networking: NetworkingSpec, spec: ClusterSpec = {}): string {
  return networkAddons(awsFacts({ ...spec, networking }))
    .flatMap(({ objects }) => objects)
    .map((object) => JSON.stringify(object))
    .join('\n');
}

const variable = (name: string, value: string): string => JSON.stringify({ name, value });
const setting = (name: string, value: string): string => `"${name}":"${value}"`;

test('kubenet, cni and external have no addon; a change of other networks requires a rolling update of all nodes', () => {
  for (const networking of [{ kubenet: {} }, { cni: {} }, { external: {} }]) {
    expect(networkAddons(awsFacts({ networking }))).toEqual([]);
  }
  expect(networkAddons(awsFacts({ networking: { cilium: {} } }))).toMatchObject([
    {
      name: 'networking.cilium.io',
      needsRollingUpdate: 'all',
      labels: { 'role.kubernetes.io/networking': '1' },
    },
  ]);
});

test.each<readonly [string, NetworkingSpec, ClusterSpec, readonly string[]]>([
  [
    'flannel',
    { flannel: { backend: 'vxlan', iptablesResyncSeconds: 9 } },
    {},
    [
      String.raw`\"Network\":\"100.64.0.0/10\"`,
      String.raw`\"Type\":\"vxlan\"`,
      '--iptables-resync=9',
      '"add":["NET_ADMIN","NET_RAW"]',
    ],
  ],
  [
    'flannel by udp, as kops reads a spec that says nothing',
    { flannel: {} },
    {},
    [String.raw`\"Type\":\"udp\"`, '"privileged":true'],
  ],
  [
    'Cilium with keys',
    { cilium: { enableEncryption: true } },
    {},
    [
      setting('enable-ipsec', 'true'),
      setting('ipsec-key-file', '/etc/ipsec/keys'),
      '"name":"cilium-ipsec-keys"',
      '"stringData":{"keys":"@{ciliumIpsecKeys}"}',
      '"secret":{"secretName":"cilium-ipsec-keys","defaultMode":256}',
      '{"mountPath":"/etc/ipsec","name":"ipsec-keys","readOnly":true}',
    ],
  ],
  [
    'Calico in its defaults',
    { calico: {} },
    {},
    [
      'docker.io/calico/node:v3.31.6',
      setting('calico_backend', 'bird'),
      variable('CALICO_IPV4POOL_CIDR', '100.96.0.0/11'),
      variable('CALICO_IPV4POOL_IPIP', 'CrossSubnet'),
      variable('CALICO_IPV4POOL_VXLAN', 'Never'),
      variable('FELIX_AWSSRCDSTCHECK', 'Disable'),
      '-bird-ready',
      String.raw`\"mtu\": __CNI_MTU__`,
    ],
  ],
  [
    'Calico where EC2 checks the source of packets: always through a tunnel',
    { calico: { awsSrcDstCheck: 'Enable', encapsulationMode: 'vxlan', mtu: 1400, typhaReplicas: 3 } },
    {},
    [
      setting('calico_backend', 'vxlan'),
      variable('CALICO_IPV4POOL_VXLAN', 'Always'),
      variable('CALICO_IPV4POOL_IPIP', 'Never'),
      setting('veth_mtu', '1400'),
      setting('typha_service_name', 'calico-typha'),
      '"replicas":3',
    ],
  ],
  [
    'Calico of an old Kubernetes',
    { calico: {} },
    { kubernetesVersion: '1.20.2' },
    ['calico/node:v3.21.4', 'policy/v1beta1'],
  ],
  [
    'Calico with IPv6',
    { calico: {} },
    { nonMasqueradeCIDR: '::/0' },
    [variable('IP6', 'autodetect'), variable('IP', 'none'), 'usePodCidrIPv6'],
  ],
  [
    'Cilium with IPv6',
    { cilium: {} },
    { nonMasqueradeCIDR: '::/0' },
    [
      setting('enable-ipv4', 'false'),
      setting('enable-ipv6', 'true'),
      setting('enable-ipv4-masquerade', 'false'),
      setting('enable-ipv6-masquerade', 'false'),
      setting('ipam', 'kubernetes'),
      setting('routing-mode', 'native'),
      // Its probes ask there.
      setting('operator-api-serve-addr', '[::1]:9234'),
      '"host":"::1"',
    ],
  ],
  ['kindnet with IPv6', { kindnet: {} }, { nonMasqueradeCIDR: '::/0' }, ['--masquerading=false', '--nat64=false']],
  [
    'Cilium in its defaults',
    { cilium: {} },
    {},
    [
      setting('routing-mode', 'tunnel'),
      setting('tunnel-protocol', 'vxlan'),
      setting('ipam', 'kubernetes'),
      setting('kube-proxy-replacement', 'false'),
      setting('enable-ipv4-masquerade', 'true'),
      variable('KUBERNETES_SERVICE_HOST', 'api.internal.demo.example.com'),
      'quay.io/cilium/cilium:v1.18.12',
      '"cilium-dbg","build-config"',
    ],
  ],
  [
    "Cilium in the VPC, in kube-proxy's place",
    { cilium: { enableNodePort: true, ipam: 'eni', version: 'v1.14.9', extraConfig: { 'bpf-lb-mode': 'dsr' } } },
    {},
    [
      setting('routing-mode', 'native'),
      setting('enable-endpoint-routes', 'true'),
      setting('kube-proxy-replacement', 'true'),
      setting('enable-host-legacy-routing', 'true'),
      setting('bpf-lb-mode', 'dsr'),
      '"cilium","build-config"',
    ],
  ],
  [
    'kindnet',
    { kindnet: { networkPolicies: true } },
    {},
    [
      'networking/kindnet:v1.0.1',
      '--network-policy=true',
      '--no-masquerade-cidr=172.20.0.0/16,100.96.0.0/11,100.64.0.0/13',
    ],
  ],
  [
    "AWS's own",
    { amazonvpc: { env: [{ name: 'WARM_ENI_TARGET', value: '3' }], imageName: 'example.com/cni:v1' } },
    {},
    [variable('WARM_ENI_TARGET', '3'), 'example.com/cni:v1', 'aws-eks-nodeagent'],
  ],
])('a network is what the spec says: %s', (_, networking, spec, expected) => {
  const text = rendered(networking, spec);
  for (const part of expected) expect(text).toContain(part);
});

import { expect, test } from 'vitest';
import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { awsFacts } from '../testdata/aws-facts.ts';
import { gatewayClass } from './cilium-gateway.ts';
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
    'Cilium with an etcd of its own',
    { cilium: { etcdManaged: true, identityAllocationMode: 'kvstore' } },
    {},
    [
      setting('kvstore', 'etcd'),
      setting('identity-allocation-mode', 'kvstore'),
      String.raw`\"endpoints\":[\"https://api.internal.demo.example.com:4003\"]`,
      '"ca.crt":"@{ciliumEtcdAuthorities}","client.pem":"@{ciliumEtcdClient}"',
      '{"name":"etcd-secrets","secret":{"secretName":"cilium-etcd-client","defaultMode":256}}',
    ],
  ],
  [
    'Cilium with Ingresses, which share a load balancer, and Gateways',
    {
      cilium: {
        enableNodePort: true,
        gatewayAPI: { enableSecretsSync: false },
        ingress: {
          defaultLoadBalancerMode: 'shared',
          enableSecretsSync: true,
          enforceHttps: false,
          loadBalancerAnnotationPrefixes: 'example.com',
          sharedLoadBalancerServiceName: 'front',
        },
      },
    },
    { kubeProxy: { enabled: false } },
    [
      setting('enable-envoy-config', 'true'),
      setting('enable-ingress-controller', 'true'),
      setting('enable-ingress-secrets-sync', 'true'),
      setting('enforce-ingress-https', 'false'),
      setting('ingress-default-lb-mode', 'shared'),
      setting('ingress-lb-annotation-prefixes', 'example.com'),
      setting('ingress-shared-lb-service-name', 'front'),
      setting('ingress-secrets-namespace', 'cilium-secrets'),
      setting('enable-gateway-api', 'true'),
      setting('enable-gateway-api-secrets-sync', 'false'),
      '"kind":"IngressClass"',
      '"type":"LoadBalancer"',
      '"kubernetes.io/service-name":"front"',
      '"gatewayclasses/status"',
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
    'kube-router',
    { kuberouter: { useNFTablesForNetpol: true } },
    { kubeAPIServer: { serviceNodePortRange: '30000+99' } },
    [
      'cloudnativelabs/kube-router:v2.10.0',
      '--run-service-proxy=true',
      '--service-cluster-ip-range=100.64.0.0/13',
      '--service-node-port-range=30000-30099',
      '--runtime-endpoint=unix:///run/containerd/containerd.sock',
      '--use-nftables-for-netpol=true',
      '--strict-external-ip-validation=false',
      variable('KUBERNETES_SERVICE_HOST', 'api.internal.demo.example.com'),
    ],
  ],
  [
    'kube-router of an old Kubernetes',
    { kuberouter: {} },
    { kubernetesVersion: '1.20.15' },
    ['cloudnativelabs/kube-router:v1.5.1'],
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

test('kube-router gets no flag that its release does not know, and of what the spec leaves open none at all', () => {
  const old = rendered({ kuberouter: {} }, { kubernetesVersion: '1.20.15', containerRuntime: 'docker' });
  expect(old).not.toMatch(/strict-external|nftables|node-port|runtime-endpoint/);
});

test('Cilium makes no load balancer for Ingresses that have one each, and reads no Secrets without Ingresses and Gateways', () => {
  const dedicated = rendered({ cilium: { enableNodePort: true, ingress: { enabled: true } } });
  expect(dedicated).toContain(setting('ingress-shared-lb-service-name', 'cilium-ingress'));
  expect(dedicated).not.toMatch(/"type":"LoadBalancer"|gateway\.networking|gateway-api/);
  expect(rendered({ cilium: {} })).not.toMatch(/"secrets"|cilium-secrets|ingress|gateway\.networking/);
});

test("the class of Cilium's Gateways is an addon of its own, which waits for the kinds that people bring", () => {
  const addons = (gatewayAPI: object) =>
    gatewayClass(awsFacts({ networking: { cilium: { enableNodePort: true, gatewayAPI } } }));
  expect(addons({})).toMatchObject([
    {
      name: 'gateway.networking.cilium.io',
      objects: [{ kind: 'GatewayClass', spec: { controllerName: 'io.cilium/gateway-controller' } }],
    },
  ]);
  expect(addons({ enabled: false })).toEqual([]);
});

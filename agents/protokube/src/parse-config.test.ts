import { expect, test } from 'vitest';
import type { ProtokubeConfig, ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import { parseConfig } from './parse-config.ts';

const kubeconfig = '/var/lib/kops/kubeconfig';

/** Has every field: without a new field this does not compile, and with it the test fails until the field is parsed. */
const FULL: Required<ProtokubeConfig> = {
  cluster: 'demo.example.com',
  cloud: 'aws',
  stateStore: 's3://state',
  storePlaces: [{ folder: 'demo.example.com/pki', url: 's3://keys/demo' }],
  role: 'ControlPlane',
  nodeName: 'i-1',
  address: '10.0.0.1',
  volumes: [
    { etcdCluster: 'main', tagKey: 'k8s.io/etcd/main', mountPoint: '/mnt/etcd-main', memberHost: 'etcd-<member>' },
  ],
  hosts: [{ name: 'api', role: 'ControlPlane' }],
  balanced: { names: ['api'], loadBalancer: 'lb.example.com' },
  gossip: {
    rings: [{ name: 'workers', port: 7946, keysFile: '/etc/kops/gossip-keys', keysSecret: 'gossip-key' }],
    signing: {
      authoritiesFile: '/etc/kops/gossip-records-ca.crt',
      identity: { certificateFile: '/etc/kops/gossip-records.crt', keyFile: '/etc/kops/gossip-records.key' },
    },
  },
  memberHosts: [{ tagKey: 'k8s.io/etcd/main', memberHost: 'etcd-<member>' }],
  restores: [{ etcdCluster: 'main', backupPath: 'demo.example.com/backups/etcd/main' }],
  podHosts: '/var/lib/kops/hosts',
  state: { kubeconfig },
  drift: {
    plan: '/var/lib/kops/node-plan.json',
    bootReport: '/var/lib/kops/boot-report.json',
    report: '/var/lib/kops/drift-report.json',
    service: 'nodeup-check.service',
  },
  podRoutes: { kubeconfig },
  podNetworks: { kubeconfig, range: '100.96.0.0/11' },
  podRanges: { kubeconfig },
  nodeMarks: { kubeconfig },
  addons: { kubeconfig, channels: ['addons/bootstrap-channel.yaml'] },
  identity: {
    port: 3987,
    authorityCa: 'LS0t',
    machineKey: '/var/lib/kops/machine.key',
    kubelet: { ca: '/ca.crt', client: '/kubelet-client', serving: '/kubelet-server', restartsForServing: false },
    secrets: [{ name: 'gossip-key', path: '/etc/kops/gossip-keys' }],
    authorities: [{ name: 'gossip-records-ca', path: '/etc/kops/gossip-records-ca.crt' }],
    bootReport: '/var/lib/kops/boot-report.json',
  },
  dns: {
    kubeconfig,
    zone: 'example.com',
    provider: { name: 'Route53', isPrivate: false },
    isIpv6Only: false,
    apiPublicName: 'api.example.com',
    apiInternalName: 'api.internal.example.com',
    objects: { namespace: 'default', ingresses: true },
  },
  apiHealth: { port: 3990, kubeconfig },
  broker: { socket: '/run/kops-authority/broker.sock', user: 'kops-node-authority' },
};

test('every field of a configuration is read', () => {
  expect(parseConfig(JSON.stringify(FULL))).toEqual(FULL);
});

test('a configuration with only the required fields is read as it is', () => {
  const { cluster, cloud, stateStore, role, nodeName, address, volumes, hosts, state } = FULL;
  const least = { cluster, cloud, stateStore, role, nodeName, address, volumes, hosts, state };
  expect(parseConfig(JSON.stringify(least))).toEqual(least);
});

test.each<ZoneProvider>([
  { name: 'CloudDNS', isPrivate: true },
  { name: 'CloudDNS', project: 'p', isPrivate: false },
  { name: 'RFC2136', address: '192.0.2.53', port: 53, keySecret: 'dns-key' },
])('the provider of a zone is read: %o', (provider) => {
  const config = { ...FULL, dns: { ...FULL.dns, provider } };
  expect(parseConfig(JSON.stringify(config))).toEqual(config);
});

test('all faulty fields are named at once', () => {
  const config = {
    ...FULL,
    cluster: '',
    role: 'Master',
    volumes: [{ etcdCluster: 'main' }],
    gossip: { rings: [{ name: 'others', port: 0 }], signing: {} },
    dns: 1,
  };
  expect(() => parseConfig(JSON.stringify(config))).toThrow(
    'these fields are missing or malformed: cluster, role, volumes[0].tagKey, volumes[0].mountPoint, volumes[0].memberHost, gossip.rings[0].name, gossip.rings[0].port, gossip.rings[0].keysFile, gossip.signing.authoritiesFile, dns, dns.kubeconfig',
  );
});

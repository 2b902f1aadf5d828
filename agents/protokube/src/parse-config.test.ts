import { expect, test } from 'vitest';
import type { ProtokubeConfig, ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import { parseConfig } from './parse-config.ts';

const kubeconfig = '/var/lib/kops/kubeconfig';

/** Has every field: a new one does not compile until it is here, and then fails until it is parsed. */
const FULL: Required<ProtokubeConfig> = {
  cluster: 'demo.example.com',
  cloud: 'aws',
  stateStore: 's3://state',
  role: 'ControlPlane',
  nodeName: 'i-1',
  address: '10.0.0.1',
  volumes: [
    { etcdCluster: 'main', tagKey: 'k8s.io/etcd/main', mountPoint: '/mnt/etcd-main', memberHost: 'etcd-<member>' },
  ],
  hosts: [{ name: 'api', role: 'ControlPlane' }],
  balanced: { names: ['api'], loadBalancer: 'lb.example.com' },
  gossip: { port: 7946, keysFile: '/etc/kops/gossip-keys' },
  memberHosts: [{ tagKey: 'k8s.io/etcd/main', memberHost: 'etcd-<member>' }],
  restores: [{ etcdCluster: 'main', backupPath: 'demo.example.com/backups/etcd/main' }],
  podHosts: '/var/lib/kops/hosts',
  state: { kubeconfig },
  podRoutes: { kubeconfig },
  podNetworks: { kubeconfig, range: '100.96.0.0/11' },
  nodeMarks: { kubeconfig },
  addons: { kubeconfig, channels: ['addons/bootstrap-channel.yaml'] },
  bootstrapToken: { kubeconfig, secret: 'kubelet-bootstrap-token' },
  dns: {
    kubeconfig,
    zone: 'example.com',
    provider: { name: 'Route53', isPrivate: false },
    isIpv6Only: false,
    apiPublicName: 'api.example.com',
    apiInternalName: 'api.internal.example.com',
    objects: { namespace: 'default', ingresses: true },
  },
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
    gossip: { port: 0 },
    dns: 1,
  };
  expect(() => parseConfig(JSON.stringify(config))).toThrow(
    'these fields are missing or malformed: cluster, role, volumes[0].tagKey, volumes[0].mountPoint, volumes[0].memberHost, gossip.port, gossip.keysFile, dns, dns.kubeconfig',
  );
});

import { expect, test } from 'vitest';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import { wantedNames } from './wanted-names.ts';

const config = {
  cluster: 'demo.example.com',
  volumes: [
    {
      etcdCluster: 'main',
      tagKey: 'k8s.io/etcd/main',
      mountPoint: '/mnt/etcd-main',
      memberHost: 'etcd-<member>.internal.demo.example.com',
    },
  ],
};
const zone: ZoneConfig = {
  kubeconfig: '/var/lib/kops/kubeconfig',
  zone: 'example.com',
  provider: { name: 'Route53', isPrivate: false },
  isIpv6Only: false,
  apiPublicName: 'api.demo.example.com',
  apiInternalName: 'api.internal.demo.example.com',
  objects: { ingresses: false },
};
const machine = (number: number, changes: Partial<CloudMachine> = {}): CloudMachine => ({
  instanceId: `i-${number}`,
  nodeName: `n-${number}`,
  address: `10.0.0.${number}`,
  externalAddresses: [`192.0.2.${number}`, `2001:db8::${number}`],
  role: 'ControlPlane',
  instanceGroup: 'cp',
  running: true,
  ...changes,
});
const volume = (member: string, address?: string): CloudVolume => ({
  id: `vol-${member}`,
  name: member,
  sizeGiB: 1,
  zone: 'z',
  tags: { 'k8s.io/etcd/main': `${member}/a,b` },
  ...(address !== undefined && { attachedTo: { instanceId: 'i', address, device: '/dev/x' } }),
});
const none = { nodes: [], pods: [], services: [], ingresses: [] };

const told = (changed: Partial<ZoneConfig> = {}) =>
  wantedNames(
    config,
    { ...zone, ...changed },
    {
      machines: [
        machine(1),
        machine(2, { role: 'APIServer' }),
        machine(3, { running: false }),
        machine(9, { role: 'Node' }),
      ],
      volumes: [volume('a', '10.0.0.1'), volume('b')],
      objects: none,
    },
  ).wishes;
const lines = (wishes: ReturnType<typeof told>) =>
  wishes.wanted.map(({ type, name, values }) => `${type} ${name} = ${values.join(' ')}`);

test('the names of the API have the running API servers, and each etcd member the holder of its volume', () => {
  expect(lines(told())).toEqual([
    'A api.demo.example.com = 192.0.2.1 192.0.2.2',
    'AAAA api.demo.example.com = 2001:db8::1 2001:db8::2',
    'A api.internal.demo.example.com = 10.0.0.1 10.0.0.2',
    'A kops-controller.internal.demo.example.com = 10.0.0.1',
    'A etcd-a.internal.demo.example.com = 10.0.0.1',
    'A etcd-b.internal.demo.example.com = ',
  ]);
});

test('when machines have only IPv6 addresses, so do their names', () => {
  const machines = [
    machine(1, { address: '2001:db8::1' }),
    machine(2, { address: '2001:db8::2', externalAddresses: ['2001:db8::2', '2001:db8::ff'] }),
  ];
  const things = { machines, volumes: [volume('a', '2001:db8::1')], objects: none };
  const told = lines(wantedNames(config, { ...zone, isIpv6Only: true }, things).wishes);
  // etcd and the API server are reached at the address of the machine, not at others of its interfaces.
  expect(told).toContain('AAAA api.internal.demo.example.com = 2001:db8::1 2001:db8::2');
  expect(told).toContain('AAAA etcd-a.internal.demo.example.com = 2001:db8::1');
});

test('a member whose holder the cloud no longer lists gets no new address', () => {
  const things = { machines: [machine(1)], volumes: [volume('a', '10.0.0.7')], objects: none };
  expect(lines(wantedNames(config, zone, things).wishes)).toContain('A etcd-a.internal.demo.example.com = ');
});

test('when external-dns writes the names of objects, unknown records stay', () => {
  const things = { machines: [machine(1)], volumes: [], objects: undefined };
  expect(wantedNames(config, zone, things).wishes.isPartial).toBe(true);
  expect(told().isPartial).toBe(false);
});

test('what a kubelet claims is not a name of the zone, and is told', () => {
  const annotations = { 'dns.alpha.kubernetes.io/external': 'shop.example.com' };
  const nodes = [{ metadata: { name: 'n-9', annotations }, status: { addresses: [] } }];
  const things = { machines: [machine(9, { role: 'Node' })], volumes: [], objects: { ...none, nodes } };
  const { wishes, ignored } = wantedNames(config, zone, things);
  expect(lines(wishes).join()).not.toContain('shop.example.com');
  expect(ignored).toEqual([{ object: 'node n-9', names: 'shop.example.com' }]);
});

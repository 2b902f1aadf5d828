import { expect, test } from 'vitest';
import { type Ec2Instance, machinesAmong, readInstances } from './instances.ts';
import { nodeNameOf, nodeNaming } from './node-name.ts';
import { type Ec2Volume, volumesAmong } from './volumes.ts';
import { itemsAt, parseXml } from './xml.ts';

const OF_DEMO = { cluster: 'demo', naming: 'instance-id' } as const;
const OURS = { KubernetesCluster: 'demo', 'kubernetes.io/cluster/demo': 'owned' };
const instance = (instanceId: string, changes: Partial<Ec2Instance> = {}): Ec2Instance => ({
  instanceId,
  state: 'running',
  address: '10.0.0.1',
  ipv6Address: '',
  externalAddresses: ['192.0.2.1'],
  privateDnsName: 'IP-10-0-0-1.ec2.internal example.com',
  tags: { ...OURS, 'k8s.io/role/master': '1', 'kops.k8s.io/instancegroup': 'cp' },
  ...changes,
});
const volume = (id: string, changes: Partial<Ec2Volume> = {}): Ec2Volume => ({
  id,
  sizeGiB: 20,
  zone: 'us-east-1a',
  state: 'in-use',
  tags: { ...OURS, 'k8s.io/etcd/main': 'a/a' },
  attachments: [],
  ...changes,
});
const view = {
  cluster: 'demo',
  instanceId: 'i-me',
  deviceHere: (id: string) => `/dev/${id}`,
  addresses: new Map([['i-other', '10.0.0.2']]),
};

test('tags decide whether a machine belongs to the cluster, even if a filter was ignored', () => {
  const all = [
    instance('i-2'),
    instance('i-1', { state: 'stopped' }),
    instance('i-foreign', { tags: { KubernetesCluster: 'other', 'k8s.io/role/master': '1' } }),
    instance('i-longer', { tags: { KubernetesCluster: 'demo.example.com', 'k8s.io/role/node': '1' } }),
    instance('i-shared', { tags: { ...OURS, 'kubernetes.io/cluster/demo': 'shared', 'k8s.io/role/node': '1' } }),
    instance('i-no-machine-of-ours', { tags: OURS }),
    instance('i-gone', { state: 'terminated', address: '' }),
  ];
  expect(machinesAmong(all, OF_DEMO).map(({ instanceId, running }) => [instanceId, running])).toEqual([
    ['i-1', false],
    ['i-2', true],
  ]);
});

test('in a cluster with IPv6 alone, a machine is known by the first IPv6 address of its primary interface', () => {
  const attached = (index: number, ...addresses: readonly string[]) =>
    `<item><attachment><deviceIndex>${index}</deviceIndex></attachment><ipv6AddressesSet>${addresses
      .map((address) => `<item><ipv6Address>${address}</ipv6Address></item>`)
      .join('')}</ipv6AddressesSet></item>`;
  const set = `<networkInterfaceSet>${attached(1, '2001:db8::1')}${attached(0, '2001:db8::7', '2001:db8::8')}</networkInterfaceSet>`;
  const answer = `<answer><reservationSet><item><instancesSet><item>${set}</item></instancesSet></item></reservationSet></answer>`;
  const [found] = readInstances(itemsAt(parseXml(answer), 'reservationSet'));
  expect(found?.ipv6Address).toBe('2001:db8::7');
  const all = [
    instance('i-both', { ipv6Address: '2001:db8::7' }),
    instance('i-worker', { address: '', ipv6Address: '2001:db8::9' }),
    instance('i-not-yet'),
  ];
  const known = machinesAmong(all, { ...OF_DEMO, isIpv6Only: true });
  expect(known.map(({ instanceId, address }) => [instanceId, address])).toEqual([
    ['i-both', '2001:db8::7'],
    ['i-worker', '2001:db8::9'],
  ]);
});

test('a machine says when it was created, and when it was last started', () => {
  const attached = (attachTime: string, card: number, index: number) =>
    `<item><attachment><attachTime>${attachTime}</attachTime><deviceIndex>${index}</deviceIndex><networkCardIndex>${card}</networkCardIndex></attachment></item>`;
  const times = (...interfaces: readonly string[]) => {
    const fields = `<launchTime>2026-11-23T00:00:00.000Z</launchTime><networkInterfaceSet>${interfaces.join('')}</networkInterfaceSet>`;
    const answer = `<answer><reservationSet><item><instancesSet><item>${fields}</item></instancesSet></item></reservationSet></answer>`;
    const [{ launchedMs, startedMs } = {}] = readInstances(itemsAt(parseXml(answer), 'reservationSet'));
    return { launchedMs, startedMs };
  };
  const startedMs = Date.UTC(2026, 10, 23);
  const primary = attached('2026-11-22T21:00:00.000Z', 0, 0);
  const others = [attached('2026-11-22T22:00:00.000Z', 0, 1), attached('2026-11-22T23:00:00.000Z', 1, 0)];
  expect(times(...others, primary)).toEqual({ launchedMs: Date.UTC(2026, 10, 22, 21), startedMs });
  expect(times(...others)).toEqual({ launchedMs: undefined, startedMs });
  expect(times(attached('yesterday', 0, 0))).toEqual({ launchedMs: undefined, startedMs });
  const seen = { launchedMs: 5, startedMs: 7 };
  expect(machinesAmong([instance('i-1', seen)], OF_DEMO)).toMatchObject([seen]);
});

test('Nodes have the id of their instance, or its first private name where the plan says that', () => {
  expect(nodeNaming({})).toBe('instance-id');
  expect(nodeNaming({ namesFromAddresses: true })).toBe('private-dns');
  expect(nodeNaming({ nodeName: 'i-0123456789abcdef0' })).toBe('instance-id');
  expect(nodeNaming({ nodeName: 'ip-10-0-0-1.ec2.internal' })).toBe('private-dns');
  expect(nodeNameOf(instance('i-1'), 'private-dns')).toBe('ip-10-0-0-1.ec2.internal');
});

test('volumes of other clusters, volumes without etcd, and volumes that are being deleted are left out', () => {
  const all = [
    volume('vol-1', { state: 'available' }),
    volume('vol-foreign', { tags: { KubernetesCluster: 'other', 'k8s.io/etcd/main': 'a/a' } }),
    volume('vol-of-a-pod', { tags: OURS }),
    volume('vol-going', { state: 'deleting' }),
  ];
  expect(volumesAmong(all, view).map(({ id }) => id)).toEqual(['vol-1']);
});

test('a volume names its holder: if there are two, the other machine', () => {
  const attached = (instanceId: string) => ({ instanceId, device: '/dev/xvdu', state: 'attached' });
  const holders = (...attachments: Ec2Volume['attachments']) =>
    volumesAmong([volume('vol-1', { attachments })], view)[0]?.attachedTo;
  expect(holders(attached('i-me'))).toMatchObject({ instanceId: 'i-me', device: '/dev/vol-1' });
  expect(holders(attached('i-me'), attached('i-other'))).toEqual({
    instanceId: 'i-other',
    address: '10.0.0.2',
    device: '/dev/xvdu',
  });
});

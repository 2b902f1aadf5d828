import { expect, test } from 'vitest';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { addressesInBlock, GUARD_BEGIN, GUARD_END, hostRecords, planHosts } from './plan-hosts.ts';

const OTHERS = '127.0.0.1\tlocalhost\n# mine\n10.9.9.9 printer\n';
const RECORDS = [
  { name: 'api.internal.demo', addresses: ['172.30.0.10', '172.30.0.9'] },
  { name: 'etcd-a.internal.demo', addresses: ['172.30.0.10'] },
];
const BLOCK = `${GUARD_BEGIN}\n172.30.0.10\tapi.internal.demo etcd-a.internal.demo\n172.30.0.9\tapi.internal.demo\n${GUARD_END}\n`;

function machine(address: string, role: CloudMachine['role'], running = true): CloudMachine {
  return {
    instanceId: `i-${address}`,
    nodeName: address,
    address,
    externalAddresses: [],
    role,
    instanceGroup: 'ig',
    running,
  };
}

test('records have the running machines of the role, its own address first, and the holders of etcd volumes', () => {
  const config = {
    address: '172.30.0.10',
    hosts: [{ name: 'api.internal.demo', role: 'ControlPlane' as const }],
    volumes: [
      {
        etcdCluster: 'main',
        tagKey: 'k8s.io/etcd/main',
        mountPoint: '/mnt/x',
        memberHost: 'etcd-<member>.internal.demo',
      },
    ],
  };
  const machines = [
    machine('172.30.0.9', 'ControlPlane'),
    machine('172.30.0.10', 'ControlPlane'),
    machine('172.30.0.8', 'ControlPlane', false),
    machine('172.30.0.7', 'Node'),
  ];
  const volume = { id: 'v', name: 'v', sizeGiB: 1, zone: 'z', tags: { 'k8s.io/etcd/main': 'a/a' } };
  const held = { ...volume, attachedTo: { instanceId: 'i', address: '172.30.0.10', device: '/dev/x' } };
  expect(hostRecords(config, machines, [held, volume])).toEqual(RECORDS);
});

test('a machine without a volume has the names of etcd members that it asks for', () => {
  const memberHosts = [{ tagKey: 'k8s.io/etcd/main', memberHost: 'etcd-<member>.internal.demo' }];
  const config = { address: '172.30.0.11', hosts: [], volumes: [], memberHosts };
  const held = {
    id: 'v',
    name: 'v',
    sizeGiB: 1,
    zone: 'z',
    tags: { 'k8s.io/etcd/main': 'a/a' },
    attachedTo: { instanceId: 'i', address: '172.30.0.10', device: '/dev/x' },
  };
  expect(hostRecords(config, [], [held])).toEqual([{ name: 'etcd-a.internal.demo', addresses: ['172.30.0.10'] }]);
});

test('the block is added at the end and nothing is planned the second time', () => {
  const wanted = planHosts(OTHERS, RECORDS, '172.30.0.10');
  expect(wanted).toBe(OTHERS + BLOCK);
  expect(planHosts(OTHERS + BLOCK, RECORDS, '172.30.0.10')).toBeUndefined();
});

test('addresses of machines that are away come last', () => {
  const records = [
    { name: 'api', addresses: ['10.0.0.2', '10.0.0.3', '10.0.0.1'], away: ['10.0.0.1'] },
    { name: 'etcd-a', addresses: ['10.0.0.1'], away: ['10.0.0.1'] },
  ];
  const hosts = planHosts('', records, '10.0.0.9') ?? '';
  expect(addressesInBlock(hosts)).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.1']);
});

test('text around the block stays, byte for byte', () => {
  const current = `a\n\n${BLOCK}\nb without newline`;
  expect(planHosts(current, RECORDS, '172.30.0.10')).toBeUndefined();
  expect(planHosts(current, [], '172.30.0.10')).toBe('a\n\n\nb without newline');
});

test('the addresses of the block are read back, and no others', () => {
  const hosts = `10.9.9.9\tprinter\n${GUARD_BEGIN}\n10.0.0.1\tapi\nnonsense\n10.0.0.2\tapi etcd-b\n${GUARD_END}\n10.9.9.8\tbank\n`;
  expect(addressesInBlock(hosts)).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(addressesInBlock('127.0.0.1\tlocalhost\n')).toEqual([]);
});

test('a damaged block is repaired without losing the lines of others', () => {
  const damaged = `127.0.0.1 localhost\n${GUARD_BEGIN}\n1.2.3.4\tfoo\n10.9.9.9 printer\n`;
  expect(planHosts(damaged, RECORDS, '172.30.0.10')).toBe(`127.0.0.1 localhost\n${BLOCK}10.9.9.9 printer\n`);
  const doubled = `${BLOCK}x\n${BLOCK}`;
  expect(planHosts(doubled, RECORDS, '172.30.0.10')).toBe(`${BLOCK}x\n`);
});

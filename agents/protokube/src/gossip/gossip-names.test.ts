import { expect, test } from 'vitest';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { RecordInForce } from '@kopsctl/gossip/records/record.ts';
import { gossipRecords, isReserved, ownNames, seedsAmong } from './gossip-names.ts';

const API = 'api.internal.demo.k8s.local';
const config = {
  address: '10.0.0.1',
  role: 'ControlPlane' as const,
  hosts: [{ name: API, role: 'ControlPlane' as const }],
  volumes: [
    {
      etcdCluster: 'main',
      tagKey: 'k8s.io/etcd/main',
      mountPoint: '/mnt/etcd-main',
      memberHost: 'etcd-<member>.internal.demo.k8s.local',
    },
  ],
};

const volume = (member: string, address: string): CloudVolume => ({
  id: `vol-${member}`,
  name: member,
  sizeGiB: 1,
  zone: 'z',
  tags: { 'k8s.io/etcd/main': `${member}/a,b` },
  attachedTo: { instanceId: 'i', address, device: '/dev/x' },
});

const said = (name: string, addresses: readonly string[], change: Partial<RecordInForce> = {}): RecordInForce => ({
  name,
  type: 'A',
  addresses,
  owner: 'other',
  stamp: { ms: 1, count: 0 },
  isDeleted: false,
  roles: ['ControlPlane'],
  isOwnerPresent: true,
  ...change,
});

test('a machine publishes the names of its role and of the etcd members it holds, the latter not to workers', () => {
  const volumes = [volume('a', '10.0.0.1'), volume('b', '10.0.0.2')];
  const names = (ring: 'control-plane' | 'workers') => ownNames(config, ring, volumes).map(({ name }) => name);
  expect(names('control-plane')).toEqual([API, 'etcd-a.internal.demo.k8s.local']);
  expect(names('workers')).toEqual([API]);
  expect(ownNames({ ...config, role: 'Node', volumes: [] }, 'workers', [])).toEqual([]);
});

test('only names that were asked for, and only addresses, are taken from peers', () => {
  const records = gossipRecords(config, [
    said(API, ['10.0.0.2', '10.0.0.1', 'evil\n10.0.0.9 bank.example']),
    said('etcd-b.internal.demo.k8s.local', ['10.0.0.2']),
    said('etcd-b.evil.internal.demo.k8s.local', ['10.0.0.9']),
    said('bank.example', ['10.0.0.9']),
    said('etcd-c.internal.demo.k8s.local', ['10.0.0.3'], { isDeleted: true }),
  ]);
  expect(records).toEqual([
    { name: API, addresses: ['10.0.0.1', '10.0.0.2'] },
    { name: 'etcd-b.internal.demo.k8s.local', addresses: ['10.0.0.2'] },
  ]);
});

test('a name counts only with the signature of a machine whose role publishes it', () => {
  const { roles: _none, ...unsigned } = said(API, ['10.0.0.9']);
  const member = 'etcd-b.internal.demo.k8s.local';
  expect(
    gossipRecords(config, [
      unsigned,
      said(API, ['10.0.0.8'], { roles: ['Node'] }),
      said(API, ['10.0.0.7'], { roles: ['APIServer'] }),
      said(member, ['10.0.0.6'], { roles: ['APIServer'] }),
    ]),
  ).toEqual([]);
  const hosts = [...config.hosts, { name: API, role: 'APIServer' as const }];
  const apiServer = said(API, ['10.0.0.7'], { roles: ['APIServer'] });
  expect(gossipRecords({ ...config, hosts }, [apiServer])).toEqual([{ name: API, addresses: ['10.0.0.7'] }]);
});

test('a machine that is away keeps its addresses, behind those of all others', () => {
  const away = { isOwnerPresent: false };
  expect(
    gossipRecords(config, [said(API, ['10.0.0.2'], away), said(API, ['10.0.0.3']), said(API, ['10.0.0.1'])]),
  ).toEqual([{ name: API, addresses: ['10.0.0.1', '10.0.0.3', '10.0.0.2'], away: ['10.0.0.2'] }]);
  expect(gossipRecords(config, [said(API, ['10.0.0.2'], away)])).toEqual([
    { name: API, addresses: ['10.0.0.2'], away: ['10.0.0.2'] },
  ]);
  // Another machine holds the address now.
  expect(gossipRecords(config, [said(API, ['10.0.0.2'], away), said(API, ['10.0.0.2'])])).toEqual([
    { name: API, addresses: ['10.0.0.2'] },
  ]);
});

test('every name that this machine asks for is reserved, and no other', () => {
  const reserved = isReserved(config);
  expect(
    [API, 'etcd-b.internal.demo.k8s.local', 'etcd-b.evil.internal.demo.k8s.local', 'printer'].map(reserved),
  ).toEqual([true, true, false, false]);
});

test('a machine with an API server and no volumes takes the names of etcd members that it needs', () => {
  const member = said('etcd-b.internal.demo.k8s.local', ['10.0.0.2']);
  const apiServer = { ...config, role: 'APIServer' as const, volumes: [] };
  expect(gossipRecords(apiServer, [member])).toEqual([]);
  const memberHosts = [{ tagKey: 'k8s.io/etcd/main', memberHost: 'etcd-<member>.internal.demo.k8s.local' }];
  expect(gossipRecords({ ...apiServer, memberHosts }, [member])).toEqual([
    { name: 'etcd-b.internal.demo.k8s.local', addresses: ['10.0.0.2'] },
  ]);
});

test('control planes are joined first, and a machine does not join itself', () => {
  const machine = (address: string, role: CloudMachine['role'], running = true): CloudMachine => ({
    instanceId: address,
    nodeName: address,
    address,
    externalAddresses: [],
    role,
    instanceGroup: 'g',
    running,
  });
  const machines = [
    machine('10.0.0.9', 'Node'),
    machine('10.0.0.7', 'Bastion'),
    machine('10.0.0.4', 'APIServer'),
    machine('10.0.0.1', 'ControlPlane'),
    machine('10.0.0.2', 'ControlPlane'),
    machine('10.0.0.3', 'ControlPlane', false),
  ];
  const seeds = (name: 'control-plane' | 'workers') =>
    seedsAmong(machines, '10.0.0.1', { name, port: 3998 }).map(({ address }) => address);
  expect(seeds('workers')).toEqual(['10.0.0.2', '10.0.0.9', '10.0.0.4']);
  expect(seeds('control-plane')).toEqual(['10.0.0.2', '10.0.0.4']);
});

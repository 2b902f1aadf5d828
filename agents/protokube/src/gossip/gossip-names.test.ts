import { expect, test } from 'vitest';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { gossipRecords, ownNames, seedsAmong } from './gossip-names.ts';

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

const said = (name: string, addresses: readonly string[], isDeleted = false) => ({
  name,
  type: 'A',
  addresses,
  owner: 'other',
  stamp: { ms: 1, count: 0 },
  isDeleted,
});

test('a machine publishes the names of its role and of the etcd members it holds', () => {
  const volumes = [volume('a', '10.0.0.1'), volume('b', '10.0.0.2')];
  expect(ownNames(config, volumes).map(({ name }) => name)).toEqual([API, 'etcd-a.internal.demo.k8s.local']);
  expect(ownNames({ ...config, role: 'Node', volumes: [] }, [])).toEqual([]);
});

test('only names that were asked for, and only addresses, are taken from peers', () => {
  const records = gossipRecords(config, [
    said(API, ['10.0.0.2', '10.0.0.1', 'evil\n10.0.0.9 bank.example']),
    said('etcd-b.internal.demo.k8s.local', ['10.0.0.2']),
    said('etcd-b.evil.internal.demo.k8s.local', ['10.0.0.9']),
    said('bank.example', ['10.0.0.9']),
    said('etcd-c.internal.demo.k8s.local', ['10.0.0.3'], true),
  ]);
  expect(records).toEqual([
    { name: API, addresses: ['10.0.0.1', '10.0.0.2'] },
    { name: 'etcd-b.internal.demo.k8s.local', addresses: ['10.0.0.2'] },
  ]);
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
    machine('10.0.0.1', 'ControlPlane'),
    machine('10.0.0.2', 'ControlPlane'),
    machine('10.0.0.3', 'ControlPlane', false),
  ];
  expect(seedsAmong(machines, '10.0.0.1', 3998).map(({ address }) => address)).toEqual(['10.0.0.2', '10.0.0.9']);
});

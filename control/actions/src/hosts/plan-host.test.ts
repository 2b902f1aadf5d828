import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOST_FILES } from '@kopsctl/node-identity/host-files.ts';
import { installScript } from './install-script.ts';
import { type HostInput, type Namesake, nodeNameOf, planHost } from './plan-host.ts';
import { sshArguments } from './ssh-host.ts';

const CLUSTER = 'demo.k8s.local';
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const KEY = '-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\n';

const group = (name: string, role: 'Node' | 'ControlPlane'): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role, subnets: ['room-1'] },
});
const members = [
  { name: 'a', instanceGroup: 'cp-a' },
  { name: 'b', instanceGroup: 'cp-b' },
];
const input = (changed: Partial<HostInput> = {}): HostInput => ({
  cluster: CLUSTER,
  group: group('nodes', 'Node'),
  spec: {
    subnets: [{ name: 'room-1', zone: 'room-1', type: 'Public' }],
    etcdClusters: [
      { name: 'main', etcdMembers: members },
      { name: 'events', etcdMembers: members },
    ],
  },
  hostName: 'Rack-1\n',
  address: '10.0.0.11',
  instanceId: 'new',
  publicKey: Buffer.from('key'),
  nowMs: NOW_MS,
  ...changed,
});
const nobody: Namesake = { host: undefined, enrolment: undefined, others: [] };

test('a worker has a key for an hour, and the name of its host', () => {
  expect(planHost(input(), nobody)).toEqual({
    node: 'rack-1',
    instanceId: 'new',
    instanceGroup: 'nodes',
    role: 'Node',
    address: '10.0.0.11',
    zone: 'room-1',
    enrolledMs: NOW_MS,
    firstKey: { publicKey: Buffer.from('key').toString('base64url'), goodUntilMs: NOW_MS + 3_600_000 },
    volumes: [],
  });
});

test('a control plane has no key, and the partitions of the members of its group', () => {
  const planned = planHost(input({ group: group('cp-b', 'ControlPlane') }), nobody);
  expect(planned.firstKey).toBeUndefined();
  expect(planned.volumes).toEqual([
    {
      name: `b.etcd-main.${CLUSTER}`,
      device: '/dev/disk/by-partlabel/etcd-main',
      tags: { 'k8s.io/etcd/main': 'b/a,b' },
    },
    {
      name: `b.etcd-events.${CLUSTER}`,
      device: '/dev/disk/by-partlabel/etcd-events',
      tags: { 'k8s.io/etcd/events': 'b/a,b' },
    },
  ]);
});

test('members of etcd are on one machine each', () => {
  const first = planHost(input({ group: group('cp-a', 'ControlPlane'), hostName: 'rack-0' }), nobody);
  const second = input({ group: group('cp-a', 'ControlPlane') });
  expect(() => planHost(second, { ...nobody, others: [first] })).toThrow('are on rack-0');
  expect(planHost(input({ group: group('cp-b', 'ControlPlane') }), { ...nobody, others: [first] }).node).toBe('rack-1');
});

test('the same machine may be enrolled again, and another one does not take its name', () => {
  const host = planHost(input({ instanceId: 'old' }), nobody);
  expect(planHost(input(), { ...nobody, host }).instanceId).toBe('new');
  expect(() => planHost(input({ address: '10.0.0.12' }), { ...nobody, host })).toThrow('10.0.0.11 has that name');
});

test('the name of a revoked machine rests', () => {
  const revoked = { revokedAt: new Date(NOW_MS - 3_600_000).toISOString() };
  expect(() => planHost(input(), { ...nobody, enrolment: revoked })).toThrow('again until 2026-01-05T12:00:00.000Z');
  expect(planHost(input(), { ...nobody, enrolment: { revokedAt: '2025-12-01T00:00:00Z' } }).node).toBe('rack-1');
});

test('a host name that no Node can have is refused', () => {
  for (const name of ['', 'localhost', 'my_host', '../../pki', 'a b', '-x', 'x'.repeat(64), 'a..b']) {
    expect(() => nodeNameOf(name)).toThrow('is not a valid name for a Node');
  }
  expect(nodeNameOf('Rack-1.Example.COM\n')).toBe('rack-1.example.com');
});

test('whatever a machine calls itself, its record stays in the folder of nodes', () => {
  fc.assert(
    fc.property(fc.string(), (hostName) => {
      let node: string;
      try {
        node = nodeNameOf(hostName);
      } catch {
        return;
      }
      expect(node).toMatch(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
    }),
  );
});

test('what goes to the machine goes to the standard input of a shell, and no part of it is an argument', () => {
  expect(sshArguments({ host: 'rack-1', user: 'root', port: 22 }).join(' ')).toBe(
    '-o BatchMode=yes -p 22 -l root -- rack-1 sh -s',
  );
  expect(sshArguments({ host: 'rack-1', user: 'admin', port: 2222 }).at(-1)).toBe('sudo -n sh -s');
});

test('the script has the key for root alone, and no command of it has the key as an argument', () => {
  const host = planHost(input(), nobody);
  const script = installScript(host, KEY, '#!/bin/sh\nKOPS_FILE\n');
  expect(script).toContain(`put ${HOST_FILES.firstKey} 0600 <<'KOPS_FILE'`);
  expect(script).not.toContain('PRIVATE KEY');
  const files = [...script.matchAll(/^put (\S+) (\d+) <<'KOPS_FILE'\n([A-Za-z0-9+/=\n]*)\nKOPS_FILE$/gm)].map(
    ([, path, mode, text = '']) => [path, mode, Buffer.from(text, 'base64').toString()],
  );
  expect(files).toEqual([
    [HOST_FILES.facts, '0644', expect.stringContaining('"nodeName": "rack-1"')],
    [HOST_FILES.firstKey, '0600', KEY],
    [HOST_FILES.script, '0700', '#!/bin/sh\nKOPS_FILE\n'],
  ]);
  expect(installScript(host, undefined, '')).not.toContain(HOST_FILES.firstKey);
});

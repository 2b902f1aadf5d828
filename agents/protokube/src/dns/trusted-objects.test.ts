import { expect, test } from 'vitest';
import { annotatedRecords, EXTERNAL_ANNOTATION, INTERNAL_ANNOTATION } from '@kopsctl/dns/annotated-records.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { MIRROR_ANNOTATION, trustedObjects, type ClaimedObjects } from './trusted-objects.ts';

const machine = (nodeName: string, number: number, changes: Partial<CloudMachine> = {}): CloudMachine => ({
  instanceId: `i-${number}`,
  nodeName,
  address: `10.0.0.${number}`,
  externalAddresses: [`192.0.2.${number}`, `2001:db8::${number}`],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  ...changes,
});
const MACHINES = [
  machine('api', 4, { role: 'APIServer' }),
  machine('cp', 1, { role: 'ControlPlane' }),
  machine('w', 2),
  machine('off', 3, { running: false }),
];

const node = (name: string, annotations = {}, labels = {}) => ({
  metadata: { name, annotations, labels },
  // What a kubelet says about itself.
  status: { addresses: [{ type: 'InternalIP', address: '10.6.6.6' }] },
});
const pod = (nodeName: string, annotations = {}, labels = {}, changes = {}) => ({
  metadata: { name: 'web-0', annotations, labels },
  spec: { hostNetwork: true, nodeName },
  status: { phase: 'Running', podIPs: [{ ip: '10.6.6.6' }] },
  ...changes,
});

function told(claimed: Partial<ClaimedObjects>, isIpv6Only = false) {
  const all = { nodes: [], pods: [], services: [], ingresses: [], ...claimed };
  const { objects, ignored } = trustedObjects(all, MACHINES, isIpv6Only);
  const records = annotatedRecords(objects).map(({ type, name, values }) => `${type} ${name} = ${values.join(' ')}`);
  return [...records, ...ignored.map(({ object, names }) => `ignored ${names} of ${object}`)];
}

test('a worker gives itself no name: its annotations are ignored, and said to be', () => {
  const nodes = [node('w', { [EXTERNAL_ANNOTATION]: 'shop.example.com', [INTERNAL_ANNOTATION]: 'a.example.com' })];
  expect(told({ nodes })).toEqual(['ignored a.example.com, shop.example.com of node w']);
});

test('labels of a worker, which its kubelet cannot set, name it, with the addresses that the cloud knows', () => {
  const labels = { [EXTERNAL_ANNOTATION]: 'out.example.com', [INTERNAL_ANNOTATION]: 'in.example.com' };
  const nodes = [node('w', {}, labels)];
  expect(told({ nodes })).toEqual([
    'A in.example.com = 10.0.0.2',
    'AAAA in.example.com = 2001:db8::2',
    'A out.example.com = 192.0.2.2',
    'AAAA out.example.com = 2001:db8::2',
  ]);
  expect(told({ nodes }, true)).toEqual([
    'AAAA in.example.com = 2001:db8::2',
    'A out.example.com = 192.0.2.2',
    'AAAA out.example.com = 2001:db8::2',
  ]);
});

test('annotations of a machine with an API server of its own count', () => {
  expect(told({ nodes: [node('api', { [EXTERNAL_ANNOTATION]: 'api-4.example.com' })] })[0]).toBe(
    'A api-4.example.com = 192.0.2.4',
  );
});

test('annotations of a control plane and of its pods count, with the addresses that the cloud knows', () => {
  const names = { [INTERNAL_ANNOTATION]: 'in.example.com' };
  const records = ['A in.example.com = 10.0.0.1', 'AAAA in.example.com = 2001:db8::1'];
  expect(told({ nodes: [node('cp', names)] })).toEqual(records);
  const pods = [pod('cp', { ...names, [MIRROR_ANNOTATION]: 'hash' })];
  expect(told({ nodes: [node('cp')], pods })).toEqual(records);
});

test('a Node without a running machine has no address', () => {
  const names = { [INTERNAL_ANNOTATION]: 'in.example.com' };
  expect(told({ nodes: [node('off', {}, names), node('stranger', {}, names)] })).toEqual([]);
});

test('a pod on a worker is named by its labels: a kubelet can change annotations of its pods, but no label', () => {
  const names = { [EXTERNAL_ANNOTATION]: 'out.example.com' };
  const nodes = [node('w')];
  expect(told({ nodes, pods: [pod('w', names)] })).toEqual(['ignored out.example.com of pod web-0 on w']);
  expect(told({ nodes, pods: [pod('w', {}, names)] })).toEqual([
    'A out.example.com = 192.0.2.2',
    'AAAA out.example.com = 2001:db8::2',
  ]);
});

test('a mirror pod on a worker has no name: its kubelet made all of it', () => {
  const names = { [INTERNAL_ANNOTATION]: 'in.example.com' };
  expect(told({ nodes: [node('w')], pods: [pod('w', { [MIRROR_ANNOTATION]: 'x' }, names)] })).toEqual([
    'ignored in.example.com of pod web-0 on w',
  ]);
});

test('a pod with a network of its own does not have the address of a machine', () => {
  const own = (ip: string) => ({
    spec: { hostNetwork: false, nodeName: 'w' },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] },
  });
  const labels = { [INTERNAL_ANNOTATION]: 'in.example.com' };
  expect(told({ nodes: [node('w')], pods: [pod('w', {}, labels, own('100.96.1.7'))] })).toEqual([
    'A in.example.com = 100.96.1.7',
  ]);
  for (const ip of ['10.0.0.1', '192.0.2.1', '2001:db8::1', '2001:DB8:0::1', '010.0.0.01', '::ffff:10.0.0.1']) {
    expect(told({ nodes: [node('w')], pods: [pod('w', {}, labels, own(ip))] })).toEqual([]);
  }
});

test('NodePort Services lead to the addresses of workers that the cloud knows', () => {
  const services = [
    { metadata: { annotations: { [EXTERNAL_ANNOTATION]: 'svc.example.com' } }, spec: { type: 'NodePort' } },
  ];
  expect(told({ nodes: [node('w'), node('stranger')], services })).toEqual([
    'A svc.example.com = 192.0.2.2',
    'AAAA svc.example.com = 2001:db8::2',
  ]);
});

import { expect, test } from 'vitest';
import { planRoutes } from './plan-routes.ts';
import { parseNode, parseRoutes } from './reconcile-routes.ts';

const NODES = [
  { name: 'me', address: '172.30.0.2', network: '100.96.0.0/24' },
  { name: 'b', address: '172.30.0.3', network: '100.96.1.0/24' },
];

test('there is a route to every other node', () => {
  expect(planRoutes('me', NODES, []).map(({ summary }) => summary)).toEqual([
    'replace route 100.96.1.0/24 via 172.30.0.3',
  ]);
});

test('nothing is planned when the routes exist; the route to a network that no node has is removed', () => {
  const there = { destination: '100.96.1.0/24', gateway: '172.30.0.3' };
  expect(planRoutes('me', NODES, [there])).toEqual([]);
  const gone = { destination: '100.96.7.0/24', gateway: '172.30.0.9' };
  expect(planRoutes('me', NODES, [gone, { ...there, gateway: '172.30.0.8' }]).map(({ summary }) => summary)).toEqual([
    'remove route 100.96.7.0/24 via 172.30.0.9',
    'replace route 100.96.1.0/24 via 172.30.0.3',
  ]);
});

const labels = {
  'kopsctl.node-restriction.kubernetes.io/pod-network': '100.96.1.0-24',
  'kopsctl.node-restriction.kubernetes.io/address': '172.30.0.3',
};

test('a Node has the route that a control plane has labelled it with, whatever its kubelet says', () => {
  const claims = {
    spec: { podCIDR: '169.254.169.254/32', podCIDRs: ['0.0.0.0/0'] },
    status: { addresses: [{ type: 'InternalIP', address: '172.30.0.66' }] },
  };
  const b = { name: 'b', address: '172.30.0.3', network: '100.96.1.0/24' };
  expect(parseNode({ metadata: { name: 'b', labels }, ...claims })).toEqual(b);
  expect(parseNode({ metadata: { name: 'b' }, ...claims })).toBeUndefined();
});

test.each(Object.keys(labels))('a Node without a proper label %s has no route', (key) => {
  for (const value of [undefined, '', 'x', '--help', '100.96.1.0/24 via 1.2.3.4', 'fd00--64']) {
    expect(parseNode({ metadata: { name: 'b', labels: { ...labels, [key]: value } } })).toBeUndefined();
  }
});

test('the output of iproute2 is parsed, also without any route', () => {
  expect(parseRoutes('')).toEqual([]);
  expect(parseRoutes('[{"dst":"100.96.1.0/24","gateway":"172.30.0.3","dev":"eth0","flags":[]}]')).toEqual([
    { destination: '100.96.1.0/24', gateway: '172.30.0.3' },
  ]);
});

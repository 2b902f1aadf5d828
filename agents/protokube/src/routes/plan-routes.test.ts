import { expect, test } from 'vitest';
import { planRoutes } from './plan-routes.ts';
import { parseNode, parseRoutes } from './reconcile-routes.ts';

const NODES = [
  { name: 'me', address: '172.30.0.2', podCIDRs: ['100.96.0.0/24'] },
  { name: 'b', address: '172.30.0.3', podCIDRs: ['100.96.1.0/24', 'fd00:1::/64'] },
  { name: 'new', address: '172.30.0.4', podCIDRs: [] },
  { name: 'silent', address: undefined, podCIDRs: ['100.96.9.0/24'] },
];

test('there is a route to every other node, and none to a pod network of another IP family', () => {
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

test('a Node is parsed to its name, internal address and pod networks', () => {
  const node = {
    metadata: { name: 'b' },
    spec: { podCIDR: '100.96.1.0/24', podCIDRs: ['100.96.1.0/24'] },
    status: {
      addresses: [
        { type: 'Hostname', address: 'b' },
        { type: 'InternalIP', address: '172.30.0.3' },
      ],
    },
  };
  expect(parseNode(node)).toEqual({ name: 'b', address: '172.30.0.3', podCIDRs: ['100.96.1.0/24'] });
  expect(parseNode({})).toBeUndefined();
});

test('the output of iproute2 is parsed, also without any route', () => {
  expect(parseRoutes('')).toEqual([]);
  expect(parseRoutes('[{"dst":"100.96.1.0/24","gateway":"172.30.0.3","dev":"eth0","flags":[]}]')).toEqual([
    { destination: '100.96.1.0/24', gateway: '172.30.0.3' },
  ]);
});

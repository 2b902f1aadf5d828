import { expect, test } from 'vitest';
import { planPodNetworks, type NodeNetwork } from './plan-pod-networks.ts';
import { ADDRESS_LABEL, NETWORK_LABEL } from './route-labels.ts';

const RANGE = '100.96.0.0/11';
const node = (name: string, podCIDR?: string, changes: Partial<NodeNetwork> = {}): NodeNetwork => ({
  name,
  createdMs: 0,
  podCIDR,
  network: undefined,
  address: undefined,
  ...changes,
});
/** A node as a control plane has left it. */
const routed = (name: string, podCIDR: string, address: string) =>
  node(name, podCIDR, { network: podCIDR.replace('/', '-'), address });

const told = (nodes: readonly NodeNetwork[], machines: Readonly<Record<string, string>> = {}, range = RANGE) => {
  const { patches, refused, isFull } = planPodNetworks(range, nodes, new Map(Object.entries(machines)));
  const lines = [
    ...patches.map(({ summary }) => summary),
    ...refused.map((one) => `refuse ${one.node} ${one.podCIDR}: ${one.why}`),
  ];
  return isFull ? [...lines, 'full'] : lines;
};

test('nodes get the lowest free networks, in the order of their names, and the addresses of their machines', () => {
  const nodes = [node('c'), routed('a', '100.96.1.0/24', '172.30.0.2'), node('b')];
  const machines = { a: '172.30.0.2', b: '172.30.0.3', c: '172.30.0.4' };
  expect(told(nodes, machines)).toEqual([
    'b: assign 100.96.0.0/24, routed by 172.30.0.3',
    'c: assign 100.96.2.0/24, routed by 172.30.0.4',
  ]);
});

test('network and labels are set in one patch', () => {
  expect(planPodNetworks(RANGE, [node('b')], new Map([['b', '172.30.0.3']])).patches).toEqual([
    {
      node: 'b',
      summary: 'b: assign 100.96.0.0/24, routed by 172.30.0.3',
      patch: {
        metadata: { labels: { [NETWORK_LABEL]: '100.96.0.0-24', [ADDRESS_LABEL]: '172.30.0.3' } },
        spec: { podCIDR: '100.96.0.0/24', podCIDRs: ['100.96.0.0/24'] },
      },
    },
  ]);
});

test('nothing is planned when every node has a network, and the address of its machine', () => {
  expect(told([routed('a', '100.96.0.0/24', '172.30.0.2')], { a: '172.30.0.2' })).toEqual([]);
});

test('a machine that came back with another address is routed there; without a machine there is no route', () => {
  const a = routed('a', '100.96.0.0/24', '172.30.0.2');
  expect(told([a], { a: '172.30.0.9' })).toEqual(['a: routed by 172.30.0.9']);
  expect(told([a])).toEqual(['a: routed by none']);
});

test('a node that is not a machine gets a network, but no route', () => {
  expect(told([node('stranger')])).toEqual(['stranger: assign 100.96.0.0/24']);
});

test('a network that a node has set itself counts if it is one of the range and nobody has it', () => {
  expect(told([node('a', '100.96.7.0/24'), node('b')], { a: '172.30.0.2' })).toEqual([
    'a: confirm 100.96.7.0/24, routed by 172.30.0.2',
    'b: assign 100.96.0.0/24',
  ]);
});

test.each([
  '0.0.0.0/0',
  '172.30.0.1/32',
  '169.254.169.254/32',
  '100.96.1.0/25',
  '100.96.1.7/24',
  '100.96.0.0/16',
  'fd00::/64',
  'x',
])('a node that calls %s its network has no route', (podCIDR) => {
  expect(told([node('evil', podCIDR)], { evil: '172.30.0.6' })).toEqual([
    `refuse evil ${podCIDR}: it is not a /24 of ${RANGE}`,
  ]);
});

test('the first to have a network keeps it, whatever a node says later or under which name', () => {
  const victim = routed('victim', '100.96.1.0/24', '172.30.0.3');
  const machines = { victim: '172.30.0.3', a: '172.30.0.6', b: '172.30.0.7' };
  expect(told([node('a', '100.96.1.0/24', { createdMs: -1 }), victim], machines)).toEqual([
    'refuse a 100.96.1.0/24: victim has it',
  ]);
  const claims = [node('a', '100.96.2.0/24', { createdMs: 2 }), node('b', '100.96.2.0/24', { createdMs: 1 })];
  expect(told([...claims, victim], machines)).toEqual([
    'b: confirm 100.96.2.0/24, routed by 172.30.0.7',
    'refuse a 100.96.2.0/24: b has it',
  ]);
});

test('of two nodes for which the same network was decided, the one that was created first keeps it, and its route', () => {
  const [older, newer] = [routed('b', '100.96.1.0/24', '172.30.0.3'), routed('a', '100.96.1.0/24', '172.30.0.6')];
  const machines = { a: '172.30.0.6', b: '172.30.0.3' };
  expect(told([{ ...newer, createdMs: 2 }, { ...older, createdMs: 1 }, node('c')], machines)).toEqual([
    'c: assign 100.96.0.0/24',
    'a: routed by none',
    'refuse a 100.96.1.0/24: b has it',
  ]);
  const unrouted = { ...newer, address: undefined, createdMs: 2 };
  expect(told([unrouted, { ...older, createdMs: 1 }], machines)).toEqual(['refuse a 100.96.1.0/24: b has it']);
  // Once the other Node is gone, nothing is wrong with it.
  expect(told([unrouted], machines)).toEqual(['a: routed by 172.30.0.6']);
});

test('a node whose claim is refused loses a route that it had before', () => {
  const replaced = node('a', '10.0.0.0/24', { network: '100.96.1.0-24', address: '172.30.0.6' });
  expect(told([replaced], { a: '172.30.0.6' })).toEqual([
    'a: routed by none',
    `refuse a 10.0.0.0/24: it is not a /24 of ${RANGE}`,
  ]);
});

test('the last networks of a full range are assigned, and isFull is true', () => {
  expect(told([node('a'), node('b'), node('c')], {}, '10.0.0.0/23')).toEqual([
    'a: assign 10.0.0.0/24',
    'b: assign 10.0.1.0/24',
    'full',
  ]);
});

import { expect, test } from 'vitest';
import { findSharedNetworks, planPodNetworks } from './plan-pod-networks.ts';

const node = (name: string, podCIDR?: string) => ({ name, podCIDR });

test('nodes get the lowest free networks, in the order of their names', () => {
  const nodes = [node('c'), node('a', '100.96.1.0/24'), node('b')];
  expect(planPodNetworks('100.96.0.0/11', nodes)).toEqual({
    assignments: [
      { node: 'b', podCIDR: '100.96.0.0/24' },
      { node: 'c', podCIDR: '100.96.2.0/24' },
    ],
    isFull: false,
  });
});

test('nothing is planned when every node has a network', () => {
  expect(planPodNetworks('100.96.0.0/11', [node('a', '100.96.0.0/24')]).assignments).toEqual([]);
});

test('a network outside the range is not assigned', () => {
  expect(planPodNetworks('10.0.0.0/23', [node('a', '192.168.0.0/24'), node('b')]).assignments).toEqual([
    { node: 'b', podCIDR: '10.0.0.0/24' },
  ]);
});

test('the last networks of a full range are assigned, and isFull is true', () => {
  expect(planPodNetworks('10.0.0.0/23', [node('a'), node('b'), node('c')])).toEqual({
    assignments: [
      { node: 'a', podCIDR: '10.0.0.0/24' },
      { node: 'b', podCIDR: '10.0.1.0/24' },
    ],
    isFull: true,
  });
});

test('a network that two nodes have is found', () => {
  const nodes = [node('b', '10.0.0.0/24'), node('a', '10.0.0.0/24'), node('c', '10.0.1.0/24'), node('d'), node('e')];
  expect(findSharedNetworks(nodes)).toEqual([{ podCIDR: '10.0.0.0/24', nodes: ['a', 'b'] }]);
});

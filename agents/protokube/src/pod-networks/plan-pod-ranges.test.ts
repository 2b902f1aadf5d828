import { expect, test } from 'vitest';
import { type NodeRange, planPodRanges } from './plan-pod-ranges.ts';

const RANGES = new Map([
  ['i-a', ['2001:db8:0:1:a::/80']],
  ['i-b', ['2001:db8:0:1:b::/80', '2001:db8:0:1:c::/80']],
  ['i-new', []],
]);

const told = (...nodes: readonly NodeRange[]): readonly string[] => {
  const { patches, refused } = planPodRanges(nodes, RANGES);
  return [
    ...patches.map(({ summary }) => summary),
    ...refused.map(({ node, podCIDR, why }) => `refuse ${node} ${podCIDR}: ${why}`),
  ];
};

test('a node gets the range of its machine', () => {
  expect(planPodRanges([{ name: 'i-a', podCIDR: undefined }], RANGES).patches).toEqual([
    {
      node: 'i-a',
      summary: 'i-a: assign 2001:db8:0:1:a::/80',
      patch: { spec: { podCIDR: '2001:db8:0:1:a::/80', podCIDRs: ['2001:db8:0:1:a::/80'] } },
    },
  ]);
});

test('nothing is planned when every node has one of the ranges of its machine', () => {
  expect(
    told({ name: 'i-a', podCIDR: '2001:db8:0:1:a::/80' }, { name: 'i-b', podCIDR: '2001:db8:0:1:c::/80' }),
  ).toEqual([]);
});

test('a node waits while its machine has no range, and while the cloud does not list its machine', () => {
  expect(told({ name: 'i-new', podCIDR: undefined }, { name: 'stranger', podCIDR: undefined })).toEqual([]);
});

test('a range that a kubelet has set itself is refused unless it is that of its machine', () => {
  expect(told({ name: 'i-a', podCIDR: '2001:db8:0:1:b::/80' })).toEqual([
    'refuse i-a 2001:db8:0:1:b::/80: the cloud has 2001:db8:0:1:a::/80 for pods on this machine',
  ]);
});

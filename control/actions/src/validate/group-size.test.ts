import { expect, test } from 'vitest';
import { groupSize } from './group-size.ts';

const running = { machines: [], desired: { 'nodes-a': 3 } };

test('A group has the machines that its cloud wants, and none where the cloud does not know it', () => {
  expect(groupSize({ name: 'nodes-a', minSize: 1 }, running)).toEqual({ found: 0, wanted: 3 });
  expect(groupSize({ name: 'nodes-b', minSize: 1 }, running)).toEqual({ found: 0, wanted: undefined });
});

test('The cloud has no group for what Karpenter makes: only a fixed number of machines can be missed', () => {
  expect(groupSize({ name: 'nodes-b', minSize: 0, manager: 'Karpenter' }, running)).toEqual({ found: 0, wanted: 0 });
  expect(groupSize({ name: 'nodes-b', minSize: 2, manager: 'Karpenter' }, running)).toEqual({ found: 0, wanted: 2 });
});

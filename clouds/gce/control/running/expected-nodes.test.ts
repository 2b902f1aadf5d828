import { expect, test } from 'vitest';
import { expectedOf } from './expected-nodes.ts';

const machine = (nodeName: string, running = true) => ({
  instanceId: `us-east1-b/${nodeName}`,
  nodeName,
  address: '10.0.16.2',
  externalAddresses: [],
  role: 'Node' as const,
  instanceGroup: 'nodes',
  running,
});

test('machines that are there are expected, and those that the group still owes', () => {
  const groups = [{ instanceGroup: 'nodes', role: 'Node', desired: 3 }] as const;
  expect(expectedOf(groups, [machine('nodes-a'), machine('nodes-b', false)])).toEqual([
    { nodeName: 'nodes-a', instanceGroup: 'nodes', role: 'Node', running: true },
    { nodeName: 'nodes-b', instanceGroup: 'nodes', role: 'Node', running: false },
    { nodeName: 'nodes (machine 3 of 3)', instanceGroup: 'nodes', role: 'Node', running: false },
  ]);
});

test('a bastion does not become a Node', () => {
  expect(expectedOf([{ instanceGroup: 'bastions', role: 'Bastion', desired: 1 }], [])).toEqual([]);
});

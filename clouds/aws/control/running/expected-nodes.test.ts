import type { MachineGroup } from './machine-groups.ts';
import { expect, test } from 'vitest';
import { expectedOf, machinesOf } from './expected-nodes.ts';

const instance = (instanceId: string, state = 'running') => ({
  instanceId,
  state,
  address: '10.0.0.1',
  externalAddresses: [],
  privateDnsName: `${instanceId}.ec2.internal`,
  tags: {},
});
const group = (changes: Partial<MachineGroup>): MachineGroup => ({
  instanceGroup: 'nodes',
  role: 'Node',
  desired: 1,
  instances: [instance('i-1')],
  ...changes,
});

test('every machine of a group has to become a Node, and missing machines are listed', () => {
  const groups = [
    group({ instanceGroup: 'cp', role: 'ControlPlane', instances: [instance('i-0', 'pending')] }),
    group({ desired: 3 }),
  ];
  expect(expectedOf(groups, 'instance-id')).toEqual([
    { nodeName: 'i-0', instanceGroup: 'cp', role: 'ControlPlane', running: false },
    { nodeName: 'i-1', instanceGroup: 'nodes', role: 'Node', running: true },
    { nodeName: 'nodes (machine 2 of 3)', instanceGroup: 'nodes', role: 'Node', running: false },
    { nodeName: 'nodes (machine 3 of 3)', instanceGroup: 'nodes', role: 'Node', running: false },
  ]);
});

test('a bastion is a machine but not a Node', () => {
  const groups = [group({ role: 'Bastion', desired: 2 })];
  expect(expectedOf(groups, 'instance-id')).toEqual([]);
  expect(machinesOf(groups, 'instance-id')).toMatchObject([{ name: 'i-1', nodeName: '', role: 'Bastion' }]);
});

test('Nodes of older clusters have the private names of their machines', () => {
  expect(expectedOf([group({})], 'private-dns').map(({ nodeName }) => nodeName)).toEqual(['i-1.ec2.internal']);
});

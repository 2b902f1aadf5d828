import type { MachineGroup } from './machine-groups.ts';
import { expect, test } from 'vitest';
import { machinesOf, runningMachinesOf } from './expected-nodes.ts';

const instance = (instanceId: string, state = 'running') => ({
  instanceId,
  state,
  address: '10.0.0.1',
  ipv6Address: '',
  externalAddresses: [],
  privateDnsName: `${instanceId}.ec2.internal`,
  tags: {},
});
const group = (changes: Partial<MachineGroup>): MachineGroup => ({
  name: 'nodes.demo.example.com',
  instanceGroup: 'nodes',
  role: 'Node',
  desired: 1,
  instances: [instance('i-1')],
  ...changes,
});

test('every machine of a group is listed, and how many AWS keeps of it', () => {
  const groups = [
    group({ instanceGroup: 'cp', role: 'ControlPlane', instances: [instance('i-0', 'pending')] }),
    group({ desired: 3 }),
  ];
  expect(runningMachinesOf(groups, 'instance-id')).toEqual({
    machines: [
      { nodeName: 'i-0', instanceGroup: 'cp', role: 'ControlPlane', running: false, addresses: ['10.0.0.1'] },
      { nodeName: 'i-1', instanceGroup: 'nodes', role: 'Node', running: true, addresses: ['10.0.0.1'] },
    ],
    desired: { cp: 1, nodes: 3 },
  });
});

test('a bastion is a machine but not a Node', () => {
  const groups = [group({ role: 'Bastion', desired: 2 })];
  expect(machinesOf(groups, 'instance-id')).toMatchObject([{ name: 'i-1', nodeName: '', role: 'Bastion' }]);
});

test('Nodes of older clusters have the private names of their machines', () => {
  expect(runningMachinesOf([group({})], 'private-dns').machines.map(({ nodeName }) => nodeName)).toEqual([
    'i-1.ec2.internal',
  ]);
});

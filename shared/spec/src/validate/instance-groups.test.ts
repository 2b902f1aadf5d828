import { expect, test } from 'vitest';
import type { InstanceGroupSpec } from '../instance-group.ts';
import { validateInstanceGroups } from './instance-groups.ts';

const faultsOf = (spec: InstanceGroupSpec, name = 'nodes', namesMachinesByGroup = true) =>
  [
    ...validateInstanceGroups(
      { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: {} },
      [{ apiVersion: '', kind: 'InstanceGroup', metadata: { name }, spec: { role: 'Master', ...spec } }],
      { namesMachinesByGroup },
    ),
  ].map(({ path, message }) => `${path}: ${message}`);

test('a part of the user-data has a name, a type and content', () => {
  const part = { name: 'a.sh', type: 'text/x-shellscript', content: '#!/bin/sh' };
  expect(faultsOf({ additionalUserData: [part] })).toEqual([]);
  expect(faultsOf({ additionalUserData: [part, {}] })).toEqual([
    'spec.additionalUserData[1].name: must be set',
    'spec.additionalUserData[1].content: must be set',
    'spec.additionalUserData[1].type: must be set',
  ]);
});

test('gVisor runs on workers alone', () => {
  const containerd = { gvisor: { enabled: true } };
  expect(faultsOf({ role: 'Node', containerd })).not.toContainEqual(expect.stringContaining('gvisor'));
  expect(faultsOf({ containerd: { gvisor: { enabled: false } } })).toEqual([]);
  expect(faultsOf({ containerd })).toEqual([
    'spec.containerd.gvisor.enabled: only machines of workers get gVisor, and this group has the role Master',
  ]);
});

test.each([
  ['nodes', [], []],
  ['My_nodes.1', ["metadata.name: 'My_nodes.1' cannot be part of a machine's name"], []],
  [
    '_nodes',
    ["metadata.name: '_nodes' cannot be part of a machine's name"],
    ['cannot be the value of a label of Nodes'],
  ],
  ['a'.repeat(64), ["cannot be part of a machine's name"], ['cannot be the value of a label of Nodes']],
  ['', ["cannot be part of a machine's name"], ['cannot be the value of a label of Nodes']],
])('the name %j of a group has %j where machines are named by it, else %j', (name, named, unnamed) => {
  expect(faultsOf({}, name, true)).toEqual(named.map((text) => expect.stringContaining(text)));
  expect(faultsOf({}, name, false)).toEqual(unnamed.map((text) => expect.stringContaining(text)));
});

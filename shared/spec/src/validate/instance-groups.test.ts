import { expect, test } from 'vitest';
import type { InstanceGroupSpec } from '../instance-group.ts';
import { validateInstanceGroups } from './instance-groups.ts';

const faultsOf = (spec: InstanceGroupSpec) =>
  [
    ...validateInstanceGroups({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: {} }, [
      { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: { role: 'Master', ...spec } },
    ]),
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

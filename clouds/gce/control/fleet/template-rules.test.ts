import { changedGroups } from '@kopsctl/model/changed-groups.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Step } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { templateRules } from './template-rules.ts';

const group = (name: string): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role: 'Node', zones: ['us-east1-b', 'us-east1-c'] },
});
const changing = (path: string): readonly Step[] => [
  { action: 'update', summary: '', changes: [{ path, from: 'a', to: 'b' }] },
];
const changed = (id: `${string}/${string}`, steps: readonly Step[]) => [
  ...changedGroups([group('nodes'), group('others')], [{ id, steps }], templateRules('demo.example.com')),
];

test('the machines of a group are made from something else where its managed group in any zone gets another template', () => {
  const steps = changing('templates[0]');
  expect(changed('gce/InstanceGroupManager/b-nodes-demo-example-com', steps)).toEqual(['nodes']);
  expect(changed('gce/InstanceGroupManager/c-nodes-demo-example-com', steps)).toEqual(['nodes']);
});

test('machines stay what they are where only the size changes, nothing does, or a managed group is new', () => {
  const id = 'gce/InstanceGroupManager/b-nodes-demo-example-com';
  expect(changed(id, changing('targetSize'))).toEqual([]);
  expect(changed(id, [])).toEqual([]);
  expect(changed(id, [{ action: 'create', summary: '' }])).toEqual([]);
});

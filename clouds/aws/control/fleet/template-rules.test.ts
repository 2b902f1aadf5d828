import { changedGroups } from '@kopsctl/model/changed-groups.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Step } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { templateRules } from './template-rules.ts';

const group = (name: string, role: 'Master' | 'Node'): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role },
});
const GROUPS = [group('cp-a', 'Master'), group('nodes', 'Node')];
const changing = (...paths: readonly string[]): readonly Step[] => [
  { action: 'update', summary: '', changes: paths.map((path) => ({ path, from: 'a', to: 'b' })) },
];
const changed = (id: `${string}/${string}`, steps: readonly Step[]) => [
  ...changedGroups(GROUPS, [{ id, steps }], templateRules('demo.example.com')),
];

test.each<[string, readonly Step[]]>([
  ['gets another version', changing('tags.a', 'userData', 'version')],
  ['is created', [{ action: 'create', summary: '' }]],
])('the machines of a group are made from something else where its launch template %s', (_what, steps) => {
  expect(changed('aws/LaunchTemplate/nodes.demo.example.com', steps)).toEqual(['nodes']);
  expect(changed('aws/LaunchTemplate/cp-a.masters.demo.example.com', steps)).toEqual(['cp-a']);
});

test('machines stay what they are where only tags of the template itself, nothing, or something else changes', () => {
  expect(changed('aws/LaunchTemplate/nodes.demo.example.com', changing('tags.a'))).toEqual([]);
  expect(changed('aws/LaunchTemplate/nodes.demo.example.com', [])).toEqual([]);
  expect(changed('aws/AutoscalingGroup/nodes.demo.example.com', changing('maxSize'))).toEqual([]);
});

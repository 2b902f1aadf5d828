import { expect, test } from 'vitest';
import { isTakenElsewhere } from './taken-elsewhere.ts';

const CONTROL_PLANE = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const CORDONED = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const GPU = { key: 'gpu', value: 'a100', effect: 'NoExecute' };
const PREFERRED = { key: 'kops.k8s.io/scheduled-for-update', effect: 'PreferNoSchedule' };
const node = (name: string, ...taints: readonly object[]) => ({ metadata: { name }, spec: { taints } });

test.each([
  ['there is no other machine', [], [node('a')], false],
  ['the other machine takes any pod', [], [node('a'), node('b')], true],
  ['the other one is for the control plane', [], [node('a'), node('b', CONTROL_PLANE)], false],
  ['the other one is cordoned, which passes', [], [node('a'), node('b', CORDONED)], true],
  ['the other one is only avoided', [], [node('a'), node('b', PREFERRED)], true],
  ['one of two others takes any pod', [], [node('a'), node('b', CONTROL_PLANE), node('c')], true],
  ['the pod tolerates everything', [{ operator: 'Exists' }], [node('a'), node('b', CONTROL_PLANE, GPU)], true],
  ['the pod tolerates one taint of two', [{ key: 'gpu', operator: 'Exists' }], [node('b', CONTROL_PLANE, GPU)], false],
  ['the pod tolerates this value', [{ key: 'gpu', value: 'a100' }], [node('b', GPU)], true],
  ['the pod tolerates another value', [{ key: 'gpu', value: 't4' }], [node('b', GPU)], false],
  [
    'the pod tolerates another effect',
    [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
    [node('b', GPU)],
    false,
  ],
])('where %s', (_, tolerations, nodes, expected) => {
  expect(isTakenElsewhere(tolerations, nodes, 'a')).toBe(expected);
});

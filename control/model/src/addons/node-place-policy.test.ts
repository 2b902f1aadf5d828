import { expect, test } from 'vitest';
import { filesOf } from '../testdata/planned-files.ts';
import { nodePlacePolicy } from './node-place-policy.ts';

test('no kubelet is told to register with a hostname that the policy refuses', () => {
  const nodeLabels = { 'kubernetes.io/hostname': 'web', 'topology.kubernetes.io/zone': 'rack-1' };
  const texts = [...filesOf('1.36.3', { kubelet: { nodeLabels } }, 'aws', 'Node').values()].join('\n');
  expect(texts).toContain('topology.kubernetes.io/zone=rack-1');
  expect(texts).not.toContain('kubernetes.io/hostname=');
});

test('there is no policy where Kubernetes has none', () => {
  expect(nodePlacePolicy('1.29.14')).toEqual([]);
});

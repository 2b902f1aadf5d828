import { expect, test } from 'vitest';
import { awsModelCloud } from './model/model-cloud.ts';
import { namingOf } from './naming.ts';

test.each([
  ['1.22.17', {}, 'private-dns'],
  ['1.23.0-beta.1', {}, 'instance-id'],
  ['1.23.0', {}, 'instance-id'],
  ['1.36.3', {}, 'instance-id'],
  ['1.36.3', { cloudConfig: { useIPBasedNodeNames: true } }, 'private-dns'],
])('with Kubernetes %s and %j, the plan and commands name Nodes by %s', (kubernetesVersion, spec, naming) => {
  const facts = { kubernetesVersion, spec };
  expect(namingOf(facts)).toBe(naming);
  expect(awsModelCloud.namesFromAddresses?.(facts)).toBe(naming === 'private-dns');
});

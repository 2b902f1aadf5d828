import { expect, test } from 'vitest';
import { validateCloudLabels } from './cloud-labels.ts';

const faultsOf = (cloudLabels: Readonly<Record<string, string>>) => {
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'g' }, spec: { cloudLabels } } as const;
  return [...validateCloudLabels([group])].map(({ instanceGroup, path }) => `${instanceGroup} ${path}`);
};

test("a person's labels of machines are not those by which resources are found", () => {
  expect(faultsOf({ 'example.com/team': 'b', 'kops.k8s.io/instancegroup': 'g' })).toEqual([]);
  expect(faultsOf({ Name: 'a', 'kubernetes.io/cluster/other': 'owned', 'kops.k8s.io/instancegroup': 'other' })).toEqual(
    [
      'g spec.cloudLabels.Name',
      'g spec.cloudLabels["kubernetes.io/cluster/other"]',
      'g spec.cloudLabels["kops.k8s.io/instancegroup"]',
    ],
  );
});

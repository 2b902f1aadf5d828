import { expect, test } from 'vitest';
import { validateCloudLabels } from './cloud-labels.ts';

type Labels = Readonly<Record<string, string>>;

const faultsOf = (ofCluster: Labels, ofGroup: Labels) => {
  const cluster = {
    apiVersion: '',
    kind: 'Cluster',
    metadata: { name: 'c' },
    spec: { cloudLabels: ofCluster },
  } as const;
  const group = {
    apiVersion: '',
    kind: 'InstanceGroup',
    metadata: { name: 'g' },
    spec: { cloudLabels: ofGroup },
  } as const;
  return [...validateCloudLabels(cluster, [group])].map(({ instanceGroup = 'c', path }) => `${instanceGroup} ${path}`);
};

test("a person's labels are not those by which resources are found", () => {
  expect(faultsOf({ 'example.com/team': 'b' }, { 'kops.k8s.io/instancegroup': 'g' })).toEqual([]);
  expect(faultsOf({ KubernetesCluster: 'other', 'kops.k8s.io/instancegroup': 'g' }, {})).toEqual([
    'c spec.cloudLabels.KubernetesCluster',
    'c spec.cloudLabels["kops.k8s.io/instancegroup"]',
  ]);
  const reserved = { Name: 'a', 'kubernetes.io/cluster/other': 'owned', 'kops.k8s.io/instancegroup': 'other' };
  expect(faultsOf({}, reserved)).toEqual([
    'g spec.cloudLabels.Name',
    'g spec.cloudLabels["kubernetes.io/cluster/other"]',
    'g spec.cloudLabels["kops.k8s.io/instancegroup"]',
  ]);
});

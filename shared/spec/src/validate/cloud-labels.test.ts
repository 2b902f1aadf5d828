import { expect, test } from 'vitest';
import { validateCloudLabels } from './cloud-labels.ts';

type Labels = Readonly<Record<string, string>>;

const faultsOf = (ofCluster: Labels, ofGroup: Labels = {}) => {
  const cluster = {
    apiVersion: '',
    kind: 'Cluster',
    metadata: { name: 'a.b' },
    spec: { cloudLabels: ofCluster },
  } as const;
  const group = {
    apiVersion: '',
    kind: 'InstanceGroup',
    metadata: { name: 'g' },
    spec: { cloudLabels: ofGroup },
  } as const;
  return [...validateCloudLabels(cluster, [group])].map(
    ({ instanceGroup = 'cluster', path }) => `${instanceGroup} ${path}`,
  );
};

test("a person's labels are not those by which resources are found", () => {
  expect(faultsOf({ team: 'a', 'example.com/team': 'b' }, { 'kops.k8s.io/instancegroup': 'g' })).toEqual([]);
  expect(
    faultsOf(
      { Name: 'a', 'kubernetes.io/cluster/other': 'owned' },
      { KubernetesCluster: 'a', 'kops.k8s.io/instancegroup': 'other' },
    ),
  ).toEqual([
    'cluster spec.cloudLabels.Name',
    'cluster spec.cloudLabels["kubernetes.io/cluster/other"]',
    'g spec.cloudLabels.KubernetesCluster',
    'g spec.cloudLabels["kops.k8s.io/instancegroup"]',
  ]);
});

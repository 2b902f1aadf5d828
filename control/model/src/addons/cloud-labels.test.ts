import { expect, test } from 'vitest';
import { cloudLabels } from './cloud-labels.ts';
import { awsFacts } from './testdata/aws-facts.ts';

test('what addons make in a cloud has the labels that the spec says, and the name of the cluster', () => {
  const facts = awsFacts({ cloudLabels: { team: 'a', KubernetesCluster: 'other' } });
  expect(cloudLabels(facts)).toBe(`KubernetesCluster=${facts.clusterName},team=a`);
});

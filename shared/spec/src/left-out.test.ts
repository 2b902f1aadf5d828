import { expect, test } from 'vitest';
import type { ClusterSpec } from './cluster.ts';
import { wishesLeftOut } from './left-out.ts';

const told = (spec: ClusterSpec): readonly string[] =>
  wishesLeftOut({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }).map(({ path }) => path);

test('what a cluster goes without is told by the name of the field, what it has or does not wish is not', () => {
  expect(told({ cloudProvider: 'aws', clusterAutoscaler: { enabled: true }, karpenter: { enabled: false } })).toEqual(
    [],
  );
  expect(
    told({
      cloudProvider: 'gce',
      authentication: { aws: {} },
      clusterAutoscaler: { enabled: true },
      karpenter: { enabled: true },
    }),
  ).toEqual(['spec.authentication.aws', 'spec.karpenter', 'spec.clusterAutoscaler']);
  expect(told({ networking: { amazonvpc: {} } })).toEqual(['spec.kubelet.maxPods']);
  expect(told({ networking: { amazonvpc: {} }, kubelet: { maxPods: 29 } })).toEqual([]);
});

import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { leftOutOfGce } from './left-out.ts';

const told = (spec: ClusterSpec): readonly string[] =>
  [...leftOutOfGce({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec })].map(({ path }) => path);

test('reports Cilium beside the network of GCE', () => {
  expect(told({ networking: { gce: { cilium: {} } } })).toEqual(['spec.networking.gce.cilium']);
  expect(told({ networking: { gce: {} } })).toEqual([]);
});

test('reports a default storage class that nothing creates', () => {
  const wished = (defaultStorageClassName: string, manageStorageClasses?: boolean): ClusterSpec => ({
    cloudConfig: {
      gcpPDCSIDriver: { enabled: true, defaultStorageClassName },
      ...(manageStorageClasses === undefined ? {} : { manageStorageClasses }),
    },
  });
  expect(told(wished('fast'))).toEqual(['spec.cloudConfig.gcpPDCSIDriver.defaultStorageClassName']);
  expect(told(wished('ssd-csi'))).toEqual([]);
  expect(told(wished('fast', false))).toEqual([]);
});

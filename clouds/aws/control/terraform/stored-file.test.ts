import { expect, test } from 'vitest';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { awsTerraform } from './terraform-target.ts';

const cluster = (spec: ClusterSpec): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec: { cloudProvider: 'aws', subnets: [{ name: 'a', zone: 'us-east-1a' }], ...spec },
});

const PATHS = ['cluster-completed.spec', 'backups/etcd/main/control/etcd-cluster-spec'];
const FILES: readonly Task[] = PATHS.map((path, index) => ({
  kind: 'ManagedFile',
  name: `file-${index}`,
  props: { path, content: 'text' },
}));

const places = (spec: ClusterSpec): readonly string[] => {
  const text = awsTerraform.render(cluster(spec), FILES, () => true).get('kubernetes.tf') ?? '';
  return [...text.matchAll(/^ *(?:bucket|key) *= "(.*)"$/gm)].map(([, value = '']) => value);
};

test('Terraform writes files where machines look for them', () => {
  expect(
    places({
      configBase: 's3://state/demo.example.com',
      keyStore: 's3://keys/shared/pki',
      etcdClusters: [{ name: 'main', backups: { backupStore: 's3://backups' } }],
    }),
  ).toEqual(['state', 'demo.example.com/cluster-completed.spec', 'backups', 'control/etcd-cluster-spec']);
});

test('a file that is in no bucket is not in the configuration', () => {
  const inFiles = cluster({ configBase: 'file:///state/demo.example.com' });
  expect(places(inFiles.spec)).toEqual([]);
  expect(PATHS.map((path) => awsTerraform.writesFile(inFiles, path))).toEqual([false, false]);
});

import { expect, test } from 'vitest';
import type { ClusterSpec } from './cluster.ts';
import { urlOfFile, wantedPlaces } from './store-places.ts';
import { validateStorePlaces } from './validate/store-places.ts';

const cluster = (spec: ClusterSpec) => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster' as const,
  metadata: { name: 'a.b' },
  spec: { configBase: 's3://state/a.b', ...spec },
});

test('only what is not below the folder of the cluster lies elsewhere', () => {
  const spec = {
    keyStore: 's3://keys/shared/pki/',
    secretStore: 's3://state/a.b/secrets',
    etcdClusters: [{ name: 'main', backups: { backupStore: 's3://backups/a.b' } }, { name: 'events' }],
  };
  expect(wantedPlaces(cluster(spec)).map(({ folder, url }) => [folder, url])).toEqual([
    ['pki', 's3://keys/shared/pki'],
    ['backups/etcd/main', 's3://backups/a.b'],
  ]);
});

test.each<[ClusterSpec, string]>([
  [{ keyStore: 'keys' }, "spec.keyStore: 'keys' is not the URL of a folder"],
  [{ keyStore: 's3://' }, "spec.keyStore: 's3:' is not the URL of a folder"],
  [{ secretStore: 'gs://keys/a' }, 'spec.secretStore: machines reach the state store by s3://, not gs://'],
  [
    { etcdClusters: ['main', 'events'].map((name) => ({ name, backups: { backupStore: 's3://backups/all' } })) },
    'spec.etcdClusters[1].backups.backupStore: spec.etcdClusters[0].backups.backupStore has the same folder, ' +
      "so each would take the other's files for its own",
  ],
  [{ keyStore: 's3://keys' }, ''],
  [{ configBase: 'swift://state/a.b' }, 'spec.configBase: machines read no state store of swift://'],
])('%j is refused where it cannot work', (spec, refusal) => {
  const faults = [...validateStorePlaces(cluster(spec))];
  expect(faults.map(({ path, message }) => `${path}: ${message}`).join()).toBe(refusal);
});

test('a file is below the folder of the cluster, or below what is used in place of its own folder', () => {
  const spec: ClusterSpec = {
    keyStore: 's3://keys/shared/pki/',
    etcdClusters: [{ name: 'main', backups: { backupStore: 's3://backups' } }, { name: 'events' }],
  };
  const at = (path: string) => urlOfFile(cluster(spec), path);
  expect(at('pki/private/ca/keyset.yaml')).toBe('s3://keys/shared/pki/private/ca/keyset.yaml');
  expect(at('backups/etcd/main/control/etcd-cluster-spec')).toBe('s3://backups/control/etcd-cluster-spec');
  expect(at('backups/etcd/events/control/etcd-cluster-spec')).toBe(
    's3://state/a.b/backups/etcd/events/control/etcd-cluster-spec',
  );
  expect(at('pki-of-others')).toBe('s3://state/a.b/pki-of-others');
});

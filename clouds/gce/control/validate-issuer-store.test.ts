import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { gceCompleted } from './testdata/gce-tasks.ts';
import { validateGce } from './validate.ts';

const faultsOf = (discoveryStore: string, more: ClusterSpec = {}): readonly string[] => {
  const spec = { serviceAccountIssuerDiscovery: { discoveryStore }, ...more };
  const { cluster, instanceGroups } = gceCompleted({ spec });
  return [...validateGce(cluster, instanceGroups)].map(({ path, message }) => `${path} ${message}`);
};

test.each(['', 'gs://issuer/demo', 'gs://issuer.example.com'])(
  'the keys of service accounts are published in Cloud Storage: %j',
  (store) => {
    expect(faultsOf(store)).toEqual([]);
  },
);

test.each(['s3://issuer/demo', 'memfs://issuer/demo', 'gs://', 'issuer'])('and not in %s', (store) => {
  expect(faultsOf(store)).toEqual([
    `spec.serviceAccountIssuerDiscovery.discoveryStore '${store}' is not in Cloud Storage, where clusters in GCE publish the keys of their issuer`,
  ]);
});

test.each<[string, ClusterSpec]>([
  ['the state store', { configBase: 'gs://state/demo.example.com' }],
  ['its keysets', { keyStore: 'gs://state/pki' }],
  [
    'its backups',
    {
      etcdClusters: [
        {
          name: 'main',
          etcdMembers: [{ name: 'b', instanceGroup: 'control-plane-us-east1-b' }],
          backups: { backupStore: 'gs://state/backups' },
        },
      ],
    },
  ],
])('a bucket that everybody reads has nothing else of the cluster: %s', (_, spec) => {
  const [fault, ...more] = faultsOf('gs://state/issuer', spec);
  expect(fault).toMatch(
    /discoveryStore everybody has to read what is in state, which has the state of the cluster too/,
  );
  expect(more).toEqual([]);
  // What serves them elsewhere may read them there.
  const kubeAPIServer = { serviceAccountIssuer: 'https://issuer.example.com' };
  expect(faultsOf('gs://state/issuer', { ...spec, kubeAPIServer })).toEqual([]);
});

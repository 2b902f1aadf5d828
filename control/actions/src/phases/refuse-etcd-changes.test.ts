import { completedCluster } from '@kopsctl/model/testdata/clusters.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { refuseEtcdChanges } from './refuse-etcd-changes.ts';

const { signal } = new AbortController();
const { cluster } = completedCluster();

/** A check of a cluster that was applied as it is, or never. */
async function check(wanted: Cluster, isApplied = true): Promise<void> {
  const store = createMemoryStore();
  const path = `${cluster.metadata.name}/cluster.spec`;
  if (isApplied) await store.write(path, Buffer.from(printObject(cluster)), { ifAbsent: true });
  await refuseEtcdChanges(store, { cluster: wanted }, [], signal);
}

const withoutEvents: Cluster = {
  ...cluster,
  spec: { ...cluster.spec, etcdClusters: cluster.spec.etcdClusters?.filter(({ name }) => name !== 'events') ?? [] },
};

test('a cluster that was applied keeps its etcd clusters', async () => {
  await expect(check(cluster)).resolves.toBeUndefined();
  await expect(check(withoutEvents)).rejects.toThrow('the etcd cluster events holds data');
});

test('a cluster that was never applied may have any', async () => {
  await expect(check(withoutEvents, false)).resolves.toBeUndefined();
});

import { specCloud } from '@kopsctl/clouds/control.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findCluster } from '../store/cluster-store.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';
import { wholeOf } from './refuse-unmakeable.ts';
import type { ClusterObjects } from '../files/object-files.ts';

/** Checks objects as they will stand beside what the store already holds of their clusters. @throws InvalidSpecError */
export async function checkObjects(store: StateStore, clusters: readonly ClusterObjects[]): Promise<void> {
  const faults = await Promise.all(clusters.map((one) => faultsOf(store, one)));
  if (faults.flat().length > 0) throw new InvalidSpecError('store these objects', faults.flat());
}

/** A cluster as it will stand once objects of files are stored; undefined where neither they nor the store have it. */
export async function besideStored(
  store: StateStore,
  given: ClusterObjects,
): Promise<{ readonly cluster: Cluster | undefined; readonly groups: readonly InstanceGroup[] }> {
  const stored = await findCluster(store, given.cluster);
  const submitted = wholeOf(given);
  return {
    cluster: submitted.cluster ?? stored?.cluster,
    groups: merge(stored?.instanceGroups ?? [], submitted.groups),
  };
}

async function faultsOf(store: StateStore, given: ClusterObjects): Promise<readonly FieldError[]> {
  const { objects } = given;
  const { cluster, groups } = await besideStored(store, given);
  if (cluster === undefined) return [];
  // Groups may follow in a later file; until then nothing can be said of what refers to them.
  return validateCluster(cluster, groups, specCloud(cluster), objects).filter(
    ({ path }) => groups.length > 0 || (path !== '' && !path.startsWith('spec.etcdClusters')),
  );
}

function merge(stored: readonly InstanceGroup[], submitted: readonly InstanceGroup[]): readonly InstanceGroup[] {
  const names = new Set(submitted.map(({ metadata }) => metadata.name));
  return [...stored.filter(({ metadata }) => !names.has(metadata.name)), ...submitted];
}

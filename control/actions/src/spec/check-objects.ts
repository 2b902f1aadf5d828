import { specCloud } from '@kopsctl/clouds/control.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findCluster } from '../store/cluster-store.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';
import type { ClusterObjects } from '../files/object-files.ts';

/** Checks objects as they will stand beside what the store already holds of their clusters. @throws InvalidSpecError */
export async function checkObjects(store: StateStore, clusters: readonly ClusterObjects[]): Promise<void> {
  const faults = await Promise.all(clusters.map((one) => faultsOf(store, one)));
  if (faults.flat().length > 0) throw new InvalidSpecError('store these objects', faults.flat());
}

async function faultsOf(store: StateStore, { cluster: name, objects }: ClusterObjects): Promise<readonly FieldError[]> {
  const stored = await findCluster(store, name);
  const given = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
  const cluster = given[0] ?? stored?.cluster;
  if (cluster === undefined) return [];
  const submitted = objects.flatMap((object) => (object.kind === 'InstanceGroup' ? [object.value] : []));
  const groups = merge(stored?.instanceGroups ?? [], submitted);
  // Groups may follow in a later file; until then nothing can be said of what refers to them.
  return validateCluster(cluster, groups, specCloud(cluster), objects).filter(
    ({ path }) => groups.length > 0 || (path !== '' && !path.startsWith('spec.etcdClusters')),
  );
}

function merge(stored: readonly InstanceGroup[], submitted: readonly InstanceGroup[]): readonly InstanceGroup[] {
  const names = new Set(submitted.map(({ metadata }) => metadata.name));
  return [...stored.filter(({ metadata }) => !names.has(metadata.name)), ...submitted];
}

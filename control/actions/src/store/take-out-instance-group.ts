import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isControlPlane } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readCluster } from './cluster-store.ts';
import { readStoredObject } from './stored-object.ts';

/**
 * Takes an instance group out of the spec, provided that it is still as it was read. The last control plane stays. The caller
 * holds the cluster's lock, unless it only asks (`yes` is false): otherwise two could take out what the other one leaves.
 */
export async function takeOutInstanceGroup(
  store: StateStore,
  cluster: string,
  name: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  const stored = await readStoredObject(store, cluster, 'InstanceGroup', name);
  const { cluster: spec, instanceGroups } = await readCluster(store, cluster);
  const others = instanceGroups.filter(({ metadata }) => metadata.name !== name);
  const members = (spec.spec.etcdClusters ?? []).filter(({ etcdMembers = [] }) =>
    etcdMembers.some(({ instanceGroup }) => instanceGroup === name),
  );
  if (!others.some(isControlPlane)) {
    throw new ActionableError({
      what: `delete instancegroup/${name} of ${cluster}`,
      why: 'it is the only control plane',
      next: `delete the cluster with \`kopsctl delete cluster ${cluster}\`, or create another control plane first`,
    });
  }
  if (members.length > 0) {
    throw new ActionableError({
      what: `delete instancegroup/${name} of ${cluster}`,
      why: `it has members of etcd ${members.map((etcd) => etcd.name).join(' and ')}`,
      next: `take them out of spec.etcdClusters with \`kopsctl edit cluster ${cluster}\` first`,
    });
  }
  if (yes) await store.delete(stored.path, { ifVersion: stored.version });
}

import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { locateFault, type Positioned } from '@kopsctl/spec/validate.ts';
import { type PlacedEtcd, validateEtcdChanges } from '@kopsctl/spec/validate/etcd-changes.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { InvalidSpecError } from '../spec/invalid-spec-error.ts';
import { appliedSpec } from '../store/applied-spec.ts';

/**
 * Refuses what would leave data of etcd behind, once a cluster has been applied.
 *
 * @throws InvalidSpecError
 */
export async function refuseEtcdChanges(
  store: StateStore,
  { cluster }: Pick<Completed, 'cluster'>,
  objects: readonly Positioned[],
  signal: AbortSignal,
): Promise<void> {
  const { name } = cluster.metadata;
  const applied = await appliedSpec(store, name, signal);
  if (applied === undefined) return;
  const before = asArray(applied['etcdClusters']).map(placed);
  const faults = [...validateEtcdChanges(before, cluster.spec.etcdClusters ?? [])];
  const errors = faults.map((one) => locateFault(one, cluster, objects));
  if (errors.length > 0) throw new InvalidSpecError(`use the spec of ${name}`, errors);
}

function placed(written: unknown): PlacedEtcd {
  const { name, etcdMembers } = asRecord(written);
  const members = asArray(etcdMembers).map((member) => {
    const { name: own, instanceGroup } = asRecord(member);
    return { name: asString(own) ?? '', instanceGroup: asString(instanceGroup) ?? '' };
  });
  return { name: asString(name) ?? '', etcdMembers: members };
}

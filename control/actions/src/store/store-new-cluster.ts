import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CreatedCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type ObjectChange, planObject, writeObject } from './cluster-store.ts';
import { writeCreationRecord } from './creation-record.ts';
import { sshPublicKeyPath, type SshPublicKey } from '../keys/ssh-public-key.ts';

/** What storing a new cluster writes. Changes nothing. @throws ActionableError where the store holds one of that name */
export async function planNewCluster(
  store: StateStore,
  { cluster, instanceGroups }: CreatedCluster,
  sshKey: SshPublicKey | undefined,
): Promise<readonly ObjectChange[]> {
  const name = cluster.metadata.name;
  const changes = await Promise.all(
    [cluster, ...instanceGroups].map((object) =>
      planObject(store, name, { kind: object.kind, name: object.metadata.name, text: printObject(object) }),
    ),
  );
  if (changes.some(({ change }) => change !== 'create')) {
    throw new ActionableError({
      what: `create the cluster ${name}`,
      why: `${store.url} holds a cluster of that name`,
      next: `choose another name, or change that one: \`kopsctl get all --name ${name} -o yaml\``,
    });
  }
  const key: readonly ObjectChange[] =
    sshKey === undefined ? [] : [{ path: sshPublicKeyPath(name, sshKey), change: 'create', text: sshKey.text }];
  return [...changes, ...key];
}

/** Stores a new cluster. The Cluster is written last: until it is there, the rest does not count as a cluster. */
export async function storeNewCluster(
  store: StateStore,
  { cluster, record }: CreatedCluster,
  changes: readonly ObjectChange[],
): Promise<void> {
  await writeCreationRecord(store, cluster.metadata.name, record);
  for (const change of changes.toReversed()) await writeObject(store, change);
}

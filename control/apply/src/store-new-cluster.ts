import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { planObject, writeObject } from './cluster-store.ts';
import { sshPublicKeyPath, type SshPublicKey } from './ssh-public-key.ts';

/** Stores a cluster that is not there yet. Nothing is written where one of that name is. */
export async function storeNewCluster(
  store: StateStore,
  { cluster, instanceGroups }: InferredCluster,
  sshKey: SshPublicKey | undefined,
): Promise<void> {
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
  // The Cluster goes last: until it is there, nobody takes the rest for a cluster.
  for (const change of changes.toReversed()) await writeObject(store, change);
  if (sshKey !== undefined) {
    await store.write(sshPublicKeyPath(name, sshKey), Buffer.from(sshKey.text), { ifAbsent: true });
  }
}

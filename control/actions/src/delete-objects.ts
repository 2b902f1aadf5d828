import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type DeletedCluster, type DeleteClusterRequest, deleteCluster } from './delete-cluster.ts';
import { takeOutInstanceGroup } from './store/take-out-instance-group.ts';
import { readCluster } from './store/cluster-store.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';
import { readObjectFiles } from './files/object-files.ts';
import { type ActionContext, inPhase, note, result } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { findSshPublicKey, parseSshPublicKey, publicKeyOf } from './keys/ssh-public-key.ts';

export interface DeleteObjectsRequest extends Pick<DeleteClusterRequest, 'yes' | 'onFound'> {
  readonly files: readonly string[];
}

/**
 * Deletes what files name: clusters whole, instance groups and SSH keys one by one. Ends at the first cluster that could not be
 * deleted.
 */
export async function deleteObjects(context: ActionContext, request: DeleteObjectsRequest): Promise<DeletedCluster> {
  const { files, yes, onFound } = request;
  const clusters = await inPhase(context, 'read the files', () =>
    readObjectFiles(files, context.env, (line) => note(context, line)),
  );
  const store = await openStateStore(context);
  // Each object is checked before the first one is deleted.
  for (const { cluster, objects } of yes ? clusters.filter((one) => !isWhole(one)) : []) {
    for (const object of objects) await deleteObject(store, cluster, object, false);
  }
  for (const one of clusters) {
    const { cluster, objects } = one;
    if (isWhole(one)) {
      const deleted = await deleteCluster(context, { cluster, yes, unregister: false, onFound });
      if (deleted.kind === 'unknown' || deleted.kind === 'kept') return deleted;
      continue;
    }
    const work = async () => {
      for (const object of objects) {
        const title = await deleteObject(store, cluster, object, yes);
        result(context, `${yes ? 'Deleted' : 'Would delete'} ${title} of ${cluster}`);
      }
    };
    if (!yes) await work();
    else
      await withClusterLock(store, cluster, 'delete-objects', context, () =>
        inPhase(context, 'delete the objects', work),
      );
  }
  return { kind: yes ? 'deleted' : 'found' };
}

const isWhole = ({ objects }: { readonly objects: readonly ParsedObject[] }): boolean =>
  objects.some(({ kind }) => kind === 'Cluster');

/** Resolves with the name that people use for it. The caller holds the cluster's lock if `yes`. */
async function deleteObject(store: StateStore, cluster: string, object: ParsedObject, yes: boolean): Promise<string> {
  switch (object.kind) {
    case 'InstanceGroup':
      await takeOutInstanceGroup(store, cluster, object.name, { yes });
      return `instancegroup/${object.name}`;
    case 'SSHCredential': {
      const key = parseSshPublicKey(publicKeyOf(object), `of ${object.positionOf('spec.publicKey').file}`);
      await readCluster(store, cluster);
      const { path, version } = await findSshPublicKey(store, cluster, key);
      if (yes) await store.delete(path, { ifVersion: version });
      return `sshpublickey/${key.fingerprint}`;
    }
    case 'Cluster':
    case 'Host':
    case 'Keyset':
      throw new ActionableError({
        what: `delete ${object.kind} ${object.name}`,
        why: 'objects of this kind are not deleted from files',
        next: 'take it out of the file',
      });
  }
}

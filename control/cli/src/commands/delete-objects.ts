import { deleteInstanceGroup } from '@kopsctl/apply/delete-object.ts';
import { readObjectFiles } from '@kopsctl/apply/object-files.ts';
import { parseSshPublicKey, sshPublicKeyPath } from '@kopsctl/apply/ssh-public-key.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { nextCommand } from '../next-command.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

interface DeleteOptions {
  readonly yes?: boolean;
}

/** Takes an instance group out of the spec; its machines go when the cluster is updated. */
export async function deleteGroup(global: GlobalOptions, name: string, options: DeleteOptions): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const yes = options.yes ?? false;
  await deleteInstanceGroup(store, cluster, name, { yes });
  process.stdout.write(
    yes
      ? `Deleted instancegroup/${name} of ${cluster}. Its machines go with: ${await nextCommand(store, cluster, ['--prune'])}\n`
      : `Would delete instancegroup/${name} of ${cluster}. Add --yes to delete it.\n`,
  );
  return 0;
}

/** Deletes what files name: clusters whole, instance groups and SSH keys one by one. */
export async function deleteFromFiles(
  global: GlobalOptions,
  options: DeleteOptions & { readonly filename: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const clusters = await readObjectFiles(options.filename);
  const store = await openStateStore(global);
  for (const { cluster, objects } of clusters) {
    if (objects.some(({ kind }) => kind === 'Cluster')) {
      const { deleteCluster } = await import('./delete-cluster.ts');
      const code = await deleteCluster(global, cluster, options, env);
      if (code !== 0) return code;
      continue;
    }
    for (const object of objects) {
      if (object.kind === 'InstanceGroup') await deleteGroup({ ...global, name: cluster }, object.name, options);
      else if (object.kind === 'SSHCredential') {
        const { spec } = object.value as { readonly spec: { readonly publicKey?: string } };
        const key = parseSshPublicKey(spec.publicKey ?? '', options.filename.join(', '));
        if (options.yes === true) await store.delete(sshPublicKeyPath(cluster, key));
        process.stdout.write(
          `${options.yes === true ? 'Deleted' : 'Would delete'} sshpublickey/${key.fingerprint} of ${cluster}\n`,
        );
      } else {
        throw new ActionableError({
          what: `delete ${object.kind} ${object.name}`,
          why: 'objects of this kind are not deleted from files',
          next: 'take it out of the file',
        });
      }
    }
  }
  return 0;
}

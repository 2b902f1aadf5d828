import { findCluster, readCluster } from '@kopsctl/apply/cluster-store.ts';
import { readSshPublicKey, sshPublicKeyFolder, sshPublicKeyPath } from '@kopsctl/apply/ssh-public-key.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Stores who may log in to the machines of a cluster. Storing the same key again changes nothing. */
export async function createSshPublicKey(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly sshPublicKey: string },
): Promise<number> {
  const key = await readSshPublicKey(options.sshPublicKey);
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  // Reading says which clusters there are where this one is not.
  if ((await findCluster(store, cluster)) === undefined) await readCluster(store, cluster);
  const path = sshPublicKeyPath(cluster, key);
  if ((await store.read(path)) === undefined) await store.write(path, Buffer.from(key.text), { ifAbsent: true });
  process.stdout.write(`Created sshpublickey/${key.fingerprint} of ${cluster}\n`);
  return 0;
}

/** Takes all keys away; machines that are made afterwards have none. */
export async function deleteSshPublicKeys(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly yes?: boolean },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const entries = await store.list(sshPublicKeyFolder(cluster));
  for (const { path, version } of entries) {
    if (options.yes === true) await store.delete(path, { ifVersion: version });
    const id = path.slice(path.lastIndexOf('/') + 1);
    process.stdout.write(`${options.yes === true ? 'Deleted' : 'Would delete'} sshpublickey/${id} of ${cluster}\n`);
  }
  if (entries.length === 0) process.stdout.write(`${cluster} has no SSH key\n`);
  else if (options.yes !== true) process.stdout.write('Add --yes to delete these.\n');
  return 0;
}

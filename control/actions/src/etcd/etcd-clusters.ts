import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** One etcd cluster of a cluster, as its managers keep it in the store. */
export interface EtcdClusterInStore {
  /** main, events … */
  readonly name: string;
  readonly backupPath: string;
}

const folderOf = (cluster: string) => `${cluster}/backups/etcd`;

/** Every etcd cluster whose managers have written something, or just the one of that name. */
export async function findEtcdClusters(
  store: StateStore,
  cluster: string,
  only: string | undefined,
): Promise<readonly EtcdClusterInStore[]> {
  const folder = `${folderOf(cluster)}/`;
  const paths = (await store.list(folder)).map(({ path }) => path.slice(folder.length));
  const names = [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].sort();
  const chosen = only === undefined ? names : names.filter((name) => name === only);
  if (chosen.length > 0) return chosen.map((name) => ({ name, backupPath: folder + name }));
  throw new ActionableError({
    what: only === undefined ? `find the etcd clusters of ${cluster}` : `find the etcd cluster ${only} of ${cluster}`,
    why: names.length > 0 ? `there are ${names.join(', ')}` : `${store.url}/${folder} is empty`,
    next:
      names.length > 0
        ? `name one of them with --etcd-cluster`
        : `check --state and --name, and that etcd-manager runs`,
  });
}

/** The one etcd cluster that a command is about. */
export async function findEtcdCluster(store: StateStore, cluster: string, name: string): Promise<EtcdClusterInStore> {
  const [etcd] = await findEtcdClusters(store, cluster, name);
  if (etcd === undefined) throw new Error('an etcd cluster that is not found is an error');
  return etcd;
}

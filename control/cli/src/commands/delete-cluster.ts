import { listClusters } from '@kopsctl/apply/cluster-store.ts';
import { kubeconfigPath, readKubeconfig, writeKubeconfig } from '@kopsctl/apply/kubeconfig-file.ts';
import { withoutCluster } from '@kopsctl/apply/kubeconfig.ts';
import { openLocal } from '@kopsctl/apply/local-cluster.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

/** Removes a cluster's machines, volumes and network, then its folder in the store. Safe to repeat after a failure. */
export async function deleteCluster(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly yes?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const local = openLocal(cluster, localSettings(env, undefined));
  const { machines, volumes } = (await local.describe()) ?? { machines: [], volumes: [] };
  const entries = await store.list(cluster);
  if (machines.length + volumes.length + entries.length === 0) {
    const others = await listClusters(store);
    process.stderr.write(
      `nothing of ${cluster} is left${others.length > 0 ? `; the store holds ${others.join(', ')}` : ''}\n`,
    );
    return 0;
  }
  process.stdout.write(
    table(
      ['TYPE', 'NAME'],
      [
        ...machines.map((machine) => ['machine', machine.name]),
        ...volumes.map((volume) => ['volume', volume.name]),
        ['state', `${store.url}/${cluster} (${entries.length} objects)`],
      ],
    ),
  );
  if (options.yes !== true) {
    process.stdout.write('\nAdd --yes to delete these.\n');
    return 0;
  }
  await local.shutdown();
  // `config` goes last, so that a deletion that was cut off can be repeated by name.
  const order = entries
    .map(({ path }) => path)
    .sort((a, b) => Number(a.endsWith('/config')) - Number(b.endsWith('/config')));
  for (const path of order) await store.delete(path);
  const path = kubeconfigPath(env);
  const config = await readKubeconfig(path);
  if (config?.clusters?.some((entry) => entry.name === cluster) === true) {
    await writeKubeconfig(path, withoutCluster(config, cluster));
  }
  process.stdout.write(`Deleted cluster ${cluster}\n`);
  return 0;
}

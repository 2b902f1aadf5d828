import { findCluster, listClusters } from '@kopsctl/apply/cluster-store.ts';
import { emptyCloud } from '@kopsctl/apply/empty-cloud.ts';
import { kubeconfigPath, readKubeconfig, writeKubeconfig } from '@kopsctl/apply/kubeconfig-file.ts';
import { withoutCluster } from '@kopsctl/apply/kubeconfig.ts';
import { openLocal } from '@kopsctl/apply/local-cluster.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { withClusterLock } from '@kopsctl/apply/with-cluster-lock.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { interruption } from '../interruption.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { describeTaskEvent } from '../progress.ts';
import { table } from '../table.ts';

function failed(result: RunResult): number {
  process.stdout.write(renderPlan(result));
  process.stderr.write('Error: not everything could be deleted; its state is kept, so that this can be repeated\n');
  return 1;
}

/** Removes what a cluster has in its cloud, then its folder in the store. Safe to repeat after a failure. */
export async function deleteCluster(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly yes?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const settings = localSettings(env, undefined);
  const startedMs = Date.now();
  const found = await findCluster(store, cluster);
  const inCloud = found !== undefined && found.cluster.spec.cloudProvider !== 'local' ? found.cluster : undefined;
  const empty = async (cloudCluster: Cluster, mode: 'plan' | 'apply', signal: AbortSignal) =>
    emptyCloud({
      cluster: cloudCluster,
      settings,
      mode,
      signal,
      onEvent: (event) => {
        const line = mode === 'apply' ? describeTaskEvent(event, startedMs) : undefined;
        if (line !== undefined) process.stderr.write(`${line}\n`);
      },
    });
  const signal = interruption();
  const planned = inCloud === undefined ? undefined : await empty(inCloud, 'plan', signal);
  if (planned !== undefined && planned.failed > 0) return failed(planned);
  const resources = planned?.deletions ?? [];
  const local = openLocal(cluster, settings);
  const { machines, volumes } = (await local.describe()) ?? { machines: [], volumes: [] };
  const entries = await store.list(cluster);
  if (resources.length + machines.length + volumes.length + entries.length === 0) {
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
        ...resources.map(({ kind, owned }) => [kind, owned.description]),
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
  if (inCloud !== undefined) {
    const emptied = await withClusterLock(store, cluster, 'delete', signal, async (locked) =>
      empty(inCloud, 'apply', locked),
    );
    if (emptied.failed > 0 || emptied.cancelled) return failed(emptied);
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

import type { Task } from '@kopsctl/tasks/task.ts';
import type { Asset } from '../assets/asset-catalog.ts';
import { etcdAssets } from '../etcd-version.ts';
import type { NodeContext } from './node-context.ts';
import { archiveTask, assetTask } from './node-task.ts';

/** Versions live side by side, so that etcd-manager can upgrade from one to the other. */
export function etcdBinDir(entry: Asset): string {
  return `/opt/etcd-v${entry.version.replace(/^v/, '')}`;
}

/** The programs of every etcd version that this machine's members run. */
export function etcd(node: NodeContext): readonly Task[] {
  const entries = new Map(
    node.etcdClusters.flatMap((cluster) => etcdAssets(cluster, node.assets)).map((entry) => [entry.name, entry]),
  );
  return [...entries.values()].flatMap((entry) => {
    const asset = assetTask(node, entry);
    // The release archive holds one folder named after the release.
    return [asset, archiveTask(entry, asset, etcdBinDir(entry), 1)];
  });
}

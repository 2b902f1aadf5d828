import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { appliedRelease } from './store/applied-release.ts';
import { readCluster } from './store/cluster-store.ts';

/** The release of kopsctl that applied a cluster last. */
export async function readAppliedRelease(
  context: ActionContext,
): Promise<{ readonly cluster: string; readonly version: string | undefined }> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  return { cluster, version: await appliedRelease(store, cluster) };
}

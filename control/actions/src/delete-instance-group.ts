import { takeOutInstanceGroup } from './store/take-out-instance-group.ts';
import { readCluster } from './store/cluster-store.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type MakingCommand, makingCommand } from './phases/making-command.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

/** Takes an instance group out of the spec; its machines are deleted when the cluster is applied with --prune. */
export async function deleteInstanceGroup(
  context: ActionContext,
  { name, yes }: { readonly name: string; readonly yes: boolean },
): Promise<{ readonly cluster: string; readonly next: MakingCommand }> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await takeOutInstanceGroup(store, cluster, name, { yes: false });
  if (yes) {
    await withClusterLock(store, cluster, 'instancegroup', context, () =>
      inPhase(context, 'remove the instance group', () => takeOutInstanceGroup(store, cluster, name, { yes })),
    );
  }
  return { cluster, next: makingCommand((await readCluster(store, cluster)).cluster) };
}

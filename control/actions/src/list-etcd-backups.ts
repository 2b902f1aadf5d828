import {
  type BackupDetails,
  type DamagedBackup,
  describeEvenDamaged,
  listBackups,
} from '@kopsctl/state-store/etcd/list-backups.ts';
import { findEtcdClusters } from './etcd/etcd-clusters.ts';
import { printableTexts } from './follow/printable.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export type ShownBackup = (BackupDetails | DamagedBackup) & { readonly etcdCluster: string };

/** Every finished backup, oldest first, and what is known about it. */
export async function listEtcdBackups(
  context: ActionContext,
  { etcdCluster: only }: { readonly etcdCluster?: string | undefined },
): Promise<readonly ShownBackup[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const etcds = await findEtcdClusters(store, cluster, only);
  const backups = await Promise.all(
    etcds.map(async ({ name: etcdCluster, backupPath }) => {
      const listed = await listBackups(store, backupPath);
      const described = await Promise.all(listed.map((backup) => describeEvenDamaged(store, backupPath, backup)));
      return described.map((backup) => printableTexts({ etcdCluster, ...backup }));
    }),
  );
  return backups.flat();
}

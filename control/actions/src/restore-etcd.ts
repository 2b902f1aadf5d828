import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { describeRestore, refusalOf } from '@kopsctl/state-store/etcd/check-restore.ts';
import { findBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import { mayBeGivenUp, readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { type AskedEtcd, askEtcdManagers, type AskRequest } from './ask-etcd.ts';
import { findEtcdCluster } from './etcd/etcd-clusters.ts';
import { printableTexts } from './follow/printable.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface RestoreRequest extends AskRequest {
  readonly backup: string;
  /** The restore is asked for; otherwise it is only shown. */
  readonly yes: boolean;
}

export type RestoredEtcd =
  | {
      readonly kind: 'shown';
      readonly etcdCluster: string;
      readonly backup: NonNullable<Awaited<ReturnType<typeof findBackup>>>;
      readonly steps: readonly string[];
    }
  | { readonly kind: 'asked'; readonly asked: AskedEtcd };

/** Shows what going back to a backup would do; or asks the managers for it, by a command file of kops, and follows it. */
export async function restoreEtcd(given: ActionContext, request: RestoreRequest): Promise<RestoredEtcd> {
  const { backup: name, yes } = request;
  const { store, cluster } = await chooseCluster(given, undefined);
  const context = { ...given, name: cluster };
  const etcd = await findEtcdCluster(store, cluster, request.etcdCluster);
  const [backup, statuses, current] = await inPhase(context, 'read the backup', async () =>
    printableTexts(
      await Promise.all([
        findBackup(store, etcd.backupPath, name),
        readStatuses(store, etcd.backupPath),
        readRestore(store, etcd.backupPath),
      ]),
    ),
  );
  const wantedVersion = statuses[0]?.wantedVersion ?? backup?.meta.etcdVersion ?? '';
  const stuck = current && mayBeGivenUp(current.record, Date.now()) ? current.record : undefined;
  const underWay = stuck === undefined ? current?.record : undefined;
  const question = { backupName: name, backup, askedVersion: '', wantedVersion, current: underWay };
  const refusal = refusalOf(question);
  if (refusal !== undefined || backup === undefined) {
    throw new ActionableError({
      what: `restore ${name} of etcd ${etcd.name}`,
      why: refusal ?? 'there is no such backup',
      next: `choose another: \`kopsctl etcd list-backups --etcd-cluster ${etcd.name}\``,
    });
  }
  if (!yes) {
    const steps = describeRestore({ ...question, backup });
    const before =
      stuck &&
      `the restore ${stuck.id}, whose etcd has not come to serve since ${stuck.since}, would be given up, unless it does so meanwhile`;
    return { kind: 'shown', etcdCluster: etcd.name, backup, steps: before === undefined ? steps : [before, ...steps] };
  }
  const clusterSpec = { memberCount: Math.max(1, statuses.length), etcdVersion: wantedVersion };
  const wish = { action: 'restore-backup', backup: name, clusterSpec } as const;
  return { kind: 'asked', asked: await askEtcdManagers(context, wish, request) };
}

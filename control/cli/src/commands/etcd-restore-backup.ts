import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { describeRestore, refusalOf } from '@kopsctl/state-store/etcd/check-restore.ts';
import { findBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import { readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { GlobalOptions } from '../program.ts';
import { chooseEtcd, etcdAsk, type EtcdAskOptions } from './etcd-ask.ts';

interface RestoreOptions extends EtcdAskOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Shows what a restore would do; with --yes asks the managers for it, by a command file of kops, and follows it. */
export async function etcdRestoreBackup(global: GlobalOptions, name: string, options: RestoreOptions): Promise<number> {
  const { store, etcd } = await chooseEtcd(global, options.etcdCluster);
  const [backup, statuses, current] = await Promise.all([
    findBackup(store, etcd.backupPath, name),
    readStatuses(store, etcd.backupPath),
    readRestore(store, etcd.backupPath),
  ]);
  const wantedVersion = statuses[0]?.wantedVersion ?? backup?.meta.etcdVersion ?? '';
  const question = { backupName: name, backup, askedVersion: '', wantedVersion, current: current?.record };
  const refusal = refusalOf(question);
  if (refusal !== undefined || backup === undefined) {
    throw new ActionableError({
      what: `restore ${name} of etcd ${etcd.name}`,
      why: refusal ?? 'it is not there',
      next: `choose another: \`kopsctl etcd list-backups --etcd-cluster ${etcd.name}\``,
    });
  }
  const steps = describeRestore({ ...question, backup });
  if (options.yes !== true || options.dryRun === true) {
    if (options.output === 'json') process.stdout.write(`${JSON.stringify({ backup, steps }, null, 2)}\n`);
    else process.stdout.write(`would, for etcd ${etcd.name}:\n${steps.map((step) => `  ${step}\n`).join('')}`);
    if (options.dryRun !== true) process.stderr.write('nothing was changed; add --yes to do it\n');
    return 0;
  }
  const clusterSpec = { memberCount: Math.max(1, statuses.length), etcdVersion: wantedVersion };
  return etcdAsk(global, { action: 'restore-backup', backup: name, clusterSpec }, options);
}

import { findEtcdClusters } from '@kopsctl/apply/etcd-clusters.ts';
import { describeBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';
import type { EtcdReportOptions } from './etcd-report.ts';

/** Prints every finished backup, oldest first, and what is known about it. */
export async function etcdListBackups(global: GlobalOptions, options: EtcdReportOptions): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const etcds = await findEtcdClusters(store, cluster, options.etcdCluster);
  const backups = (
    await Promise.all(
      etcds.map(async ({ name: etcdCluster, backupPath }) => {
        const listed = await listBackups(store, backupPath);
        const described = await Promise.all(listed.map((backup) => describeBackup(store, backupPath, backup)));
        return described.map((backup) => ({ etcdCluster, ...backup }));
      }),
    )
  ).flat();
  if (options.output === 'json') {
    process.stdout.write(`${JSON.stringify(backups, null, 2)}\n`);
    return 0;
  }
  const header = ['ETCD', 'BACKUP', 'VERSION', 'SIZE', 'REVISION', 'PROVEN', 'REASON'];
  const rows = backups.map(({ etcdCluster, name, meta, storedBytes, isEncrypted, facts, verified }) => [
    etcdCluster,
    name,
    meta.etcdVersion,
    `${(storedBytes / 1024 ** 2).toFixed(1)}Mi${isEncrypted ? ' (encrypted)' : ''}`,
    facts === undefined ? '-' : String(facts.revision),
    verified === undefined ? '-' : verified.ok ? `${verified.keys ?? 0} keys` : `no: ${verified.failure ?? ''}`,
    facts?.reason ?? 'by kops',
  ]);
  process.stdout.write(table(header, rows));
  return 0;
}

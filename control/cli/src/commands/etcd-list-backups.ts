import { listEtcdBackups, type ShownBackup } from '@kopsctl/actions/list-etcd-backups.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import type { EtcdReportOptions } from './etcd-report.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

const HEADER = ['ETCD', 'BACKUP', 'VERSION', 'SIZE', 'REVISION', 'VERIFIED', 'REASON'];

/** Prints every finished backup, oldest first, and what is known about it. */
export async function etcdListBackups(
  global: GlobalOptions,
  { etcdCluster, output }: EtcdReportOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const backups = await listEtcdBackups(actionContext(global, env), { etcdCluster });
  if (output !== 'table') {
    writeDocument(await printedValue(backups, output));
    return 0;
  }
  writeOut(table(HEADER, backups.map(row)));
  return 0;
}

function row(backup: ShownBackup): readonly string[] {
  const { etcdCluster, name, storedBytes, isEncrypted } = backup;
  const size = `${(storedBytes / 1024 ** 2).toFixed(1)}Mi${isEncrypted ? ' (encrypted)' : ''}`;
  if ('damage' in backup) return [etcdCluster, name, '-', size, '-', `no: ${backup.damage}`, '-'];
  const { meta, facts, verified } = backup;
  return [
    etcdCluster,
    name,
    meta.etcdVersion,
    size,
    facts === undefined ? '-' : String(facts.revision),
    verified === undefined ? '-' : verified.ok ? `${verified.keys ?? 0} keys` : `no: ${verified.failure ?? ''}`,
    facts?.reason ?? 'by kops',
  ];
}

import { etcdFindings, etcdReports } from '@kopsctl/actions/etcd-status.ts';
import { actionContext } from '../context.ts';
import { etcdTable } from '../output/etcd-table.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printedValue } from '../output/print-objects.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

export interface EtcdReportOptions extends OutputOptions {
  readonly etcdCluster?: string;
}

/** Prints what each etcd-manager says of its member. Needs nothing but the store. */
export async function etcdStatus(
  global: GlobalOptions,
  { etcdCluster, output }: EtcdReportOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const reports = await etcdReports(actionContext(global, env), { etcdCluster });
  if (output !== 'table') writeDocument(await printedValue(reports, output));
  else writeOut(etcdTable(reports, Date.now()));
  return 0;
}

/** Says what is wrong and what to do next. Exit code 2 where there is an error. */
export async function etcdDoctor(
  global: GlobalOptions,
  { etcdCluster, output }: EtcdReportOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { names, findings } = await etcdFindings(actionContext(global, env), { etcdCluster });
  if (output !== 'table') writeDocument(await printedValue(findings, output));
  else if (findings.length === 0) writeOut(`${names.join(', ')}: nothing is wrong\n`);
  else for (const { level, what, next } of findings) writeOut(`${level}: ${what}\n  next: ${next}\n`);
  return findings.some(({ level }) => level === 'error') ? 2 : 0;
}

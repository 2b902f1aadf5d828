import type { AskedEtcd } from '@kopsctl/actions/ask-etcd.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputFormat } from '../flags/output-options.ts';
import { nextCommand } from './next-command.ts';
import { printedValue } from './print-objects.ts';
import { writeDocument, writeErr, writeOut } from './terminal.ts';

/** Prints what the managers of an etcd cluster made of a command, and returns the exit code. */
export async function printAsked(
  global: GlobalOptions,
  { etcdCluster, command, outcome }: AskedEtcd,
  output: OutputFormat,
): Promise<number> {
  if (outcome === undefined) {
    const status = nextCommand(global, ['etcd', 'status', '--etcd-cluster', etcdCluster]);
    if (output !== 'table') writeDocument(await printedValue({ command }, output));
    else writeOut(`${command}\n`);
    writeErr(`asked for; \`${status}\` shows it while it waits\n`);
    return 0;
  }
  if (output !== 'table') writeDocument(await printedValue({ command, ...outcome }, output));
  else writeOut(`${outcome.result}: ${outcome.message}\n`);
  return outcome.result === 'done' ? 0 : 1;
}

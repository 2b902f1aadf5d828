import { parseDuration } from '../flags/duration.ts';
import { restoreEtcd } from '@kopsctl/actions/restore-etcd.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printAsked } from '../output/print-asked.ts';
import { printedValue } from '../output/print-objects.ts';
import type { EtcdAskOptions } from './etcd-ask.ts';
import { writeDocument, writeErr, writeOut } from '../output/terminal.ts';

interface RestoreOptions extends EtcdAskOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Shows what going back to a backup would do; with --yes it is done. */
export async function etcdRestoreBackup(
  global: GlobalOptions,
  backup: string,
  { etcdCluster, wait, output, dryRun = false, yes = false }: RestoreOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const waitMs = wait === false ? undefined : parseDuration(wait, '--wait');
  const request = { etcdCluster, waitMs, backup, yes: yes && !dryRun };
  const restored = await restoreEtcd(actionContext(global, env), request);
  if (restored.kind === 'asked') return printAsked(global, restored.asked, output);
  const { steps } = restored;
  if (output !== 'table') writeDocument(await printedValue({ backup: restored.backup, steps }, output));
  else {
    const lines = steps.map((step) => `  ${step}\n`).join('');
    writeOut(`would, for etcd ${restored.etcdCluster}:\n${lines}`);
  }
  if (!dryRun) writeErr('nothing was changed; add --yes to do it\n');
  return 0;
}

import { askEtcdManagers } from '@kopsctl/actions/ask-etcd.ts';
import { parseDuration } from '../flags/duration.ts';
import type { Wish } from '@kopsctl/actions/etcd/etcd-ask.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { printAsked } from '../output/print-asked.ts';

export interface EtcdAskOptions extends OutputOptions {
  readonly etcdCluster: string;
  /** False: the command is left in the store for the managers, and nothing is waited for. */
  readonly wait: string | false;
}

/** Asks the managers for a backup, a verification or a defragmentation, and waits for the outcome. */
export async function etcdAsk(
  global: GlobalOptions,
  wish: Wish,
  { etcdCluster, wait, output }: EtcdAskOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const waitMs = wait === false ? undefined : parseDuration(wait, '--wait');
  return printAsked(global, await askEtcdManagers(actionContext(global, env), wish, { etcdCluster, waitMs }), output);
}

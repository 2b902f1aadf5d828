import { deleteCluster as remove } from '@kopsctl/actions/delete-cluster.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printDeleted, printRemnants } from '../output/print-deleted.ts';
import { usageError } from '../flags/usage-error.ts';

export interface DeleteClusterOptions {
  readonly yes?: boolean;
  readonly unregister?: boolean;
  readonly external?: boolean;
  readonly region?: string;
  readonly wait: string;
  readonly count: number;
  readonly interval: string;
}

/** Deletes what a cluster has in its cloud, then its state. Can be repeated after a failure. */
export async function deleteCluster(
  global: GlobalOptions,
  cluster: string | undefined,
  { yes = false, unregister = false, external = false, region, ...trying }: DeleteClusterOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (external !== (region !== undefined)) {
    throw usageError({
      what: 'delete the cluster',
      why: external ? '--external needs --region' : '--region is only for a cluster that no state store holds',
      next: 'give --external and --region together, or neither',
    });
  }
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const patience = {
    waitMs: parseDuration(trying.wait, '--wait'),
    intervalMs: parseDuration(trying.interval, '--interval'),
    // As in kops, 0 sets no limit.
    count: trying.count === 0 ? Infinity : trying.count,
  };
  return printDeleted(
    await remove(context, { cluster, yes, unregister, externalRegion: region, patience, onFound: printRemnants }),
  );
}

import { validateCluster } from '@kopsctl/actions/validate-cluster.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { usageError } from '../flags/usage-error.ts';
import { printValidated } from '../output/print-validated.ts';

export interface ValidateOptions extends OutputOptions {
  readonly wait?: string;
  readonly count: number;
  readonly interval: string;
  readonly maxUnreadyNodes: number;
  readonly apiServer?: string;
  readonly kubeconfig?: string;
  readonly useKubeconfig?: boolean;
}

/** Says what is wrong with a running cluster. Exits with 2 on failures, as kops does. */
export async function validate(
  global: GlobalOptions,
  name: string | undefined,
  { wait, count, interval, maxUnreadyNodes, output, apiServer, kubeconfig, useKubeconfig }: ValidateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const waitMs = wait === undefined ? 0 : parseDuration(wait, '--wait');
  if (waitMs === 0 && count > 1) {
    // kops looks once and then fails, however valid the cluster is (cmd/kops/validate_cluster.go).
    throw usageError({
      what: 'validate the cluster',
      why: `without --wait there is only one check, and --count ${count} requires ${count} in a row`,
      next: 'give it time, e.g. --wait 10m, or leave --count out',
    });
  }
  const context = actionContext(global, env, {
    tells: wait === undefined ? 'nothing' : 'everything',
    endsInOrder: true,
  });
  const found = await validateCluster(context, {
    cluster: name,
    waitMs,
    count: Math.max(1, count),
    intervalMs: parseDuration(interval, '--interval'),
    maxUnreadyNodes,
    choice: { apiServer, kubeconfig, usesKubeconfig: useKubeconfig },
  });
  return printValidated(found, output);
}

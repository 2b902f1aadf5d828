import { reconcileCluster } from '@kopsctl/actions/reconcile-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printPlanned } from '../print-planned.ts';
import { printOperationEnd } from '../print-upgraded.ts';
import { type RollingUpdateOptions, rollRequestOf } from './rolling-update.ts';

export interface ReconcileOptions extends RollingUpdateOptions {
  readonly allowKopsDowngrade?: boolean;
}

/** Makes a cluster what its spec says, machines included, or shows what an update would change. */
export async function reconcile(
  global: GlobalOptions,
  name: string | undefined,
  options: ReconcileOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false, allowKopsDowngrade: allowsDowngrade } = options;
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const reconciled = await reconcileCluster(context, {
    cluster: name,
    yes,
    manner: rollRequestOf(options),
    allowsDowngrade,
  });
  if (reconciled.kind === 'planned') return printPlanned(global, reconciled.planned, { output: 'text' });
  return printOperationEnd(global, reconciled.cluster, reconciled.operation);
}

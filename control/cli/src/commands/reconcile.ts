import { reconcileCluster } from '@kopsctl/actions/reconcile-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printReconciled } from '../output/print-upgraded.ts';
import { type RollFlags, rollRequestOf } from '../flags/roll-flags.ts';

export interface ReconcileOptions extends RollFlags {
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
  return printReconciled(global, reconciled);
}

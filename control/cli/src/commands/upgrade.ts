import { upgradeCluster } from '@kopsctl/actions/upgrade-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printUpgraded } from '../output/print-upgraded.ts';
import { type RollFlags, rollRequestOf } from '../flags/roll-flags.ts';

export interface UpgradeOptions extends RollFlags {
  readonly kubernetesVersion?: string;
  readonly channel?: string;
}

/** Brings a cluster to a newer version of Kubernetes, or shows what that would change. */
export async function upgrade(
  global: GlobalOptions,
  cluster: string | undefined,
  { kubernetesVersion, channel, ...options }: UpgradeOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false } = options;
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const manner = rollRequestOf(options);
  return printUpgraded(
    global,
    await upgradeCluster(context, { cluster, kubernetesVersion, channel, yes, manner }),
    yes,
  );
}

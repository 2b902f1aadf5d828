import { giveBackCluster } from '@kopsctl/actions/give-back-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printGivenBack } from '../output/print-given-back.ts';

export interface GiveBackOptions {
  readonly yes?: boolean;
  readonly output: 'text' | 'json';
  readonly assets?: string;
}

/** Gives a cluster back to kops that kopsctl took over. */
export async function giveBack(
  global: GlobalOptions,
  cluster: string | undefined,
  { yes = false, output, assets }: GiveBackOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  return printGivenBack(global, await giveBackCluster(context, { cluster, yes, assets }), output);
}

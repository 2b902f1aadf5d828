import { adoptCluster } from '@kopsctl/actions/adopt-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printAdopted } from '../output/print-adopted.ts';

export interface AdoptOptions {
  readonly yes?: boolean;
  readonly output: 'text' | 'json';
  readonly assets?: string;
}

/** Takes over a cluster that kops made. */
export async function adopt(
  global: GlobalOptions,
  cluster: string | undefined,
  { yes = false, output, assets }: AdoptOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  return printAdopted(global, await adoptCluster(context, { cluster, yes, assets }), output);
}

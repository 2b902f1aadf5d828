import { planCluster } from '@kopsctl/actions/plan-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { PlanFormat } from '../output/print-plan-document.ts';
import { printPlanned } from '../output/print-planned.ts';

export interface PlanOptions {
  readonly filename?: readonly string[];
  readonly prune?: boolean;
  readonly exitCode?: boolean;
  readonly output: PlanFormat;
  readonly assets?: string;
  readonly ignoreKubeletVersionSkew?: boolean;
  /** A file to save the plan in. */
  readonly out?: string;
}

/** Shows what making a cluster would change, and saves that where asked. */
export async function plan(global: GlobalOptions, options: PlanOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { filename: files, prune = false, assets, out, ignoreKubeletVersionSkew: ignoresSkew } = options;
  const context = actionContext(global, env, { endsInOrder: true });
  const planned = await planCluster(context, { files, scope: { prune }, assets, out, ignoresSkew });
  return printPlanned(global, planned, options);
}

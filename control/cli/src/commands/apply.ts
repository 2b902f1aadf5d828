import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { parseDuration } from '../flags/duration.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { PlanFormat } from '../output/print-plan-document.ts';
import { printApplied } from '../output/print-applied.ts';

export interface ApplyOptions {
  readonly filename?: readonly string[];
  readonly prune?: boolean;
  /** A duration, or false for --no-wait. */
  readonly wait: string | false;
  readonly assets?: string;
  readonly ignoreKubeletVersionSkew?: boolean;
  readonly output: PlanFormat;
}

/** Makes a cluster, then waits until it is valid. A saved plan is applied as it was saved. */
export async function apply(
  global: GlobalOptions,
  planFile: string | undefined,
  { filename: files, prune = false, wait, assets, output, ignoreKubeletVersionSkew: ignoresSkew }: ApplyOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const startedMs = Date.now();
  const waitMs = wait === false ? undefined : parseDuration(wait, '--wait');
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const applied = await applyCluster(context, { files, planFile, scope: { prune }, assets, waitMs, ignoresSkew });
  return printApplied(global, applied, { startedMs, output });
}

import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { parseDuration } from '../flags/duration.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { PlanFormat } from '../output/print-plan-document.ts';
import { usageError } from '../flags/usage-error.ts';
import { printApplied } from '../output/print-applied.ts';

export interface ApplyOptions {
  readonly filename?: readonly string[];
  readonly prune?: boolean;
  readonly exitCode?: boolean;
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
  options: ApplyOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const startedMs = Date.now();
  const { filename: files, prune = false, wait, assets, output, ignoreKubeletVersionSkew: ignoresSkew } = options;
  if (planFile !== undefined) refuseBesidePlan(planFile, options);
  const waitMs = wait === false ? undefined : parseDuration(wait, '--wait');
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const applied = await applyCluster(context, { files, planFile, scope: { prune }, assets, waitMs, ignoresSkew });
  return printApplied(global, applied, { startedMs, output });
}

/** A saved plan says what is stored and what is removed, and applying it leaves no changes pending. */
function refuseBesidePlan(planFile: string, { filename, prune = false, exitCode = false }: ApplyOptions): void {
  const idle = [
    ...(filename === undefined ? [] : ['-f']),
    ...(prune ? ['--prune'] : []),
    ...(exitCode ? ['--exit-code'] : []),
  ];
  if (idle.length === 0) return;
  throw usageError({
    what: `apply the saved plan ${planFile}`,
    why: `it is applied as it was saved, so beside it ${idle.join(' and ')} would change nothing`,
    next: `leave ${idle.join(' and ')} out; \`kopsctl plan --out FILE\` saves another plan`,
  });
}

import type { AppliedCluster } from '@kopsctl/actions/apply-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { summaryOf } from '@kopsctl/tasks/summary.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { outdatedLines } from './outdated-line.ts';
import { printFailedRun } from './print-failed-run.ts';
import { type PlanFormat, printPlanDocument } from './print-plan-document.ts';
import { writeErr, writeOut, writePlan, writeProblem } from './terminal.ts';

export interface AppliedPrinting {
  readonly startedMs: number;
  readonly output?: PlanFormat;
  /** The file that has the access to the cluster, where it was written. */
  readonly kubeconfig?: string | undefined;
}

/** Prints what became of a cluster that was made, and returns the exit code. */
export function printApplied(
  global: GlobalOptions,
  { cluster, specChanges = [], result, outdated, reached }: AppliedCluster,
  { startedMs, output = 'text', kubeconfig }: AppliedPrinting,
): number {
  const say = (line: string) => writeErr(`${line}\n`);
  if (output !== 'text') printPlanDocument(result, output);
  for (const { path, change } of specChanges) {
    say(`${change === 'create' ? 'Created' : 'Replaced'} ${path} (your spec)`);
  }
  if (result.failed > 0 || result.cancelled) {
    if (output === 'text') writePlan(renderPlan(result));
    return printFailedRun(result, {
      message: result.cancelled ? 'stopped before all changes were made' : `not all changes were made`,
      next: `once the above is fixed: \`${nextCommand(global, ['update', 'cluster', cluster, '--yes'])}\``,
      isTold: true,
    });
  }
  if (result.changed > 0) say(`Applied: ${summaryOf(result)}.`);
  else say(specChanges.length === 0 ? 'no changes' : 'no other changes');
  writeErr(outdatedLines(global, cluster, outdated, false));
  if (kubeconfig !== undefined) say(`kubectl is configured in ${kubeconfig}.`);
  if (reached === undefined) return 0;
  return printReached(global, cluster, reached, { took: result.changed > 0 ? Date.now() - startedMs : 0, output });
}

function printReached(
  global: GlobalOptions,
  cluster: string,
  { kubeconfig, failures }: NonNullable<AppliedCluster['reached']>,
  { took, output }: { readonly took: number; readonly output: PlanFormat },
): number {
  if (failures.length > 0) {
    for (const failure of failures) writeErr(`${failure.kind} ${failure.name}: ${failure.message}\n`);
    const explain = nextCommand(global, ['explain', 'node', 'NODE']);
    const validate = nextCommand(global, ['validate', 'cluster', cluster, '--wait', '10m']);
    writeProblem({
      message: `the cluster ${cluster} is not valid yet`,
      next: `\`${explain}\` says what is wrong with a machine; or keep waiting: \`${validate}\``,
      details: { exitCode: 1, failures },
    });
    return 1;
  }
  writeErr(`The cluster ${cluster} is ready${took > 0 ? ` after ${(took / 1000).toFixed(1)} s` : ''}.\n`);
  if (output !== 'text') return 0;
  writeOut(
    [
      `kubectl is configured in ${kubeconfig}. Next:`,
      '  kubectl get nodes',
      `  ${nextCommand(global, ['validate', 'cluster', cluster])}`,
      `  ${nextCommand(global, ['delete', 'cluster', cluster, '--yes'])}`,
      '',
    ].join('\n'),
  );
  return 0;
}

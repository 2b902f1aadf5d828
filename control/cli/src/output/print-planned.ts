import type { PlannedCluster } from '@kopsctl/actions/plan-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { summaryOf } from '@kopsctl/tasks/summary.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { outdatedLines } from './outdated-line.ts';
import { printFailedRun } from './print-failed-run.ts';
import { type PlanFormat, printPlanDocument } from './print-plan-document.ts';
import { unadoptedLines } from './unadopted-lines.ts';
import { writeErr, writeOut, writePlan } from './terminal.ts';

export interface PlanPrinting {
  readonly output: PlanFormat;
  /** Pending changes make the exit code 2. */
  readonly exitCode?: boolean | undefined;
  /** The file in which the plan was saved. */
  readonly out?: string | undefined;
}

/** Prints a plan and returns the exit code. */
export function printPlanned(
  global: GlobalOptions,
  { cluster, specChanges, result, unadopted, outdated }: PlannedCluster,
  { output, exitCode = false, out }: PlanPrinting,
): number {
  if (output !== 'text') printPlanDocument(result, output);
  else {
    for (const { path, change } of specChanges) writeOut(`Will ${change} ${path} (your spec)\n`);
    writePlan(renderPlan(result));
  }
  if (result.failed > 0 || result.cancelled) {
    const message = result.cancelled
      ? 'stopped before all changes were determined'
      : 'not all changes could be determined';
    return printFailedRun(result, { message, isTold: true });
  }
  if (result.changed > 0) writeErr(`Plan: ${summaryOf(result)}.\n`);
  // What is kept because nobody asked for pruning would be kept with --yes too.
  const isPending = result.changed > 0 || specChanges.length > 0;
  writeErr(outdatedLines(global, cluster, outdated, isPending));
  if (unadopted !== undefined) writeErr(unadoptedLines(global, cluster, unadopted));
  else if (out !== undefined) writeErr(`The plan is saved. Next: ${nextCommand(global, ['apply', out])}\n`);
  // The sentence of kops, which scripts look for.
  else if (isPending) (output === 'text' ? writeOut : writeErr)('Must specify --yes to apply changes.\n');
  return isPending && exitCode ? 2 : 0;
}

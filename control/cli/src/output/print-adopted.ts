import type { AdoptedCluster } from '@kopsctl/actions/adopt-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { describeAdoption } from './describe-adoption.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { outdatedLines } from './outdated-line.ts';
import { printFailedRun } from './print-failed-run.ts';
import { writeDocument, writeErr, writeOut } from './terminal.ts';

/** Prints what taking a cluster over changes or changed, and returns the exit code. */
export function printAdopted(global: GlobalOptions, adoption: AdoptedCluster, output: 'text' | 'json'): number {
  const { cluster, kopsVersion, adopted, changes, kept, result, outdated } = adoption;
  if (output === 'json') {
    const { mode } = result;
    writeDocument(`${sortedJson({ cluster, kopsVersion, adopted, mode, changes, kept }, 2)}\n`);
  } else writeOut(describeAdoption(adoption));
  const isPlanned = result.mode === 'plan';
  if (result.failed > 0 || result.cancelled) {
    if (isPlanned) return printFailedRun(result, { message: 'not all changes could be determined' });
    writeErr(renderPlan(result));
    return printFailedRun(result, {
      message: result.cancelled ? 'stopped before all changes were made' : 'not all changes were made',
      next: `once the above is fixed: \`${nextCommand(global, ['adopt', cluster, '--yes'])}\` goes on`,
      isTold: true,
    });
  }
  if (adopted !== undefined) writeErr(`kopsctl has taken ${cluster} over before: ${adopted}.\n`);
  writeErr(outdatedLines(global, cluster, outdated, isPlanned));
  if (isPlanned) writeErr(`Nothing was changed. Next: ${nextCommand(global, ['adopt', cluster, '--yes'])}\n`);
  else {
    const back = nextCommand(global, ['give-back', cluster]);
    writeErr(`kopsctl has taken ${cluster} over. The way back to kops: ${back}\n`);
  }
  return 0;
}

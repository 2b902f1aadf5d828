import type { AdoptedCluster } from '@kopsctl/actions/adopt-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { describeAdoption } from './describe-adoption.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { outdatedLines } from './outdated-line.ts';
import { writeDocument, writeErr, writeOut } from './terminal.ts';

/** Prints what taking a cluster over changes or changed, and returns the exit code. */
export function printAdopted(global: GlobalOptions, adoption: AdoptedCluster, output: 'text' | 'json'): number {
  const { cluster, kopsVersion, adopted, changes, kept, result, outdated } = adoption;
  if (output === 'json') {
    const { mode } = result;
    writeDocument(`${sortedJson({ cluster, kopsVersion, adopted, mode, changes, kept }, 2)}\n`);
  } else writeOut(describeAdoption(adoption));
  if (result.failed > 0 || result.cancelled) {
    writeErr(renderPlan(result));
    return 1;
  }
  if (adopted !== undefined) writeErr(`kopsctl has taken ${cluster} over before: ${adopted}.\n`);
  const isPlanned = result.mode === 'plan';
  writeErr(outdatedLines(global, cluster, outdated, isPlanned));
  if (isPlanned) writeErr(`Nothing was changed. Next: ${nextCommand(global, ['adopt', cluster, '--yes'])}\n`);
  else {
    const back = nextCommand(global, ['give-back', cluster]);
    writeErr(`kopsctl has taken ${cluster} over. The way back to kops: ${back}\n`);
  }
  return 0;
}

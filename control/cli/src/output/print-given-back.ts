import type { GivenBackCluster } from '@kopsctl/actions/give-back-cluster.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { describeGivingBack } from './describe-giving-back.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { writeDocument, writeErr, writeOut } from './terminal.ts';

/** Prints what giving a cluster back changes or changed, and returns the exit code. */
export function printGivenBack(global: GlobalOptions, given: GivenBackCluster, output: 'text' | 'json'): number {
  const { cluster, isMade, isCleared, kopsVersion } = given;
  if (output === 'json') writeDocument(`${sortedJson(given, 2)}\n`);
  else writeOut(describeGivingBack(given));
  const again = nextCommand(global, ['give-back', cluster, '--yes']);
  if (!isMade) writeErr(`Nothing was changed. Next: ${again}\n`);
  else if (isCleared) writeErr(`${cluster} belongs to kops ${kopsVersion} again.\n`);
  else {
    writeErr(
      `kopsctl leaves ${cluster} alone from now on. Next: kops update cluster ${cluster} --yes, ` +
        `then kops rolling-update cluster ${cluster} --yes, then ${again}\n`,
    );
  }
  return 0;
}

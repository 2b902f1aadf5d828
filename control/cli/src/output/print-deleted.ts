import type { DeletedCluster } from '@kopsctl/actions/delete-cluster.ts';
import type { Remnant } from '@kopsctl/actions/phases/find-remains.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { printFailedRun } from './print-failed-run.ts';
import { table } from './table.ts';
import { writeOut, writePlan, writeResult } from './terminal.ts';

/** Prints what is going to be deleted of a cluster. */
export function printRemnants(remnants: readonly Remnant[]): void {
  const rows = remnants.map(({ type, name }) => [type, name]);
  writeResult({ message: table(['TYPE', 'NAME'], rows).trimEnd(), details: { found: remnants } });
}

/** Says how a deletion ended, and returns the exit code. */
export function printDeleted(deleted: DeletedCluster): number {
  switch (deleted.kind) {
    case 'unknown':
      return printFailedRun(deleted.failed, {
        message: `cannot find out what belongs to ${deleted.cluster}; nothing of it was deleted`,
      });
    case 'kept':
      writePlan(renderPlan(deleted.failed));
      return printFailedRun(deleted.failed, {
        message: 'not everything could be deleted; its state is kept, so that this can be repeated',
        isTold: true,
      });
    case 'found':
      writeOut('\nMust specify --yes to delete cluster\n');
      return 0;
    case 'deleted':
      return 0;
  }
}

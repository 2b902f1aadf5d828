import type { KeptCluster } from '@kopsctl/actions/phases/keep-new-cluster.ts';
import { makingCommand } from '@kopsctl/actions/phases/making-command.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { printApplied } from './print-applied.ts';
import { printFailedRun } from './print-failed-run.ts';
import { printPlanned } from './print-planned.ts';
import { printWritten } from './print-written.ts';
import { writeOut } from './terminal.ts';

/** Prints what became of a new cluster, and returns the exit code. */
export function printCreated(global: GlobalOptions, created: KeptCluster, startedMs: number): number {
  switch (created.kind) {
    case 'refused':
      return printFailedRun(created.planned, {
        message: 'the cluster cannot be made like this, so nothing was stored',
        next: 'repeat the command once the above is fixed; --offline stores it without asking the cloud',
      });
    case 'applied':
      return printApplied(
        global,
        { cluster: created.created.cluster.metadata.name, ...created },
        {
          startedMs,
          kubeconfig: created.kubeconfig,
        },
      );
    case 'written':
      return printWritten(created.created.cluster.metadata.name, created.written);
    case 'stored': {
      const { created: inferred, planned } = created;
      const cluster = inferred.cluster.metadata.name;
      if (planned !== undefined) {
        printPlanned(global, { cluster, specChanges: [], result: planned }, { output: 'text' });
      }
      printNext(global, inferred);
      return 0;
    }
  }
}

function printNext(global: GlobalOptions, { cluster, instanceGroups }: InferredCluster): void {
  const { name } = cluster.metadata;
  const making = makingCommand(cluster);
  const group = instanceGroups.at(-1)?.metadata.name ?? '';
  const commands = [
    ['edit', 'cluster', name],
    ['edit', 'instancegroup', '--name', name, group],
    ...(making === undefined ? [] : [[...making, '--yes']]),
  ];
  writeOut(`Next:\n${commands.map((words) => `  ${nextCommand(global, words)}\n`).join('')}`);
}

import type { AppliedCluster } from '@kopsctl/actions/apply-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import type { GlobalOptions } from './global-options.ts';
import { nextCommand } from './next-command.ts';
import { outdatedLines } from './outdated-line.ts';
import { writeErr, writeOut } from './terminal.ts';

/** Prints what became of a cluster that was made, and returns the exit code. */
export function printApplied(
  global: GlobalOptions,
  { cluster, result, outdated, reached }: AppliedCluster,
  startedMs: number,
): number {
  const say = (line: string) => writeErr(`${line}\n`);
  if (result.failed > 0 || result.cancelled) {
    writeOut(renderPlan(result));
    return 1;
  }
  say(result.changed === 0 ? 'no changes' : `applied ${result.changed} changes`);
  writeErr(outdatedLines(global, cluster, outdated, false));
  if (reached === undefined) return 0;
  const { kubeconfig, failures } = reached;
  if (failures.length > 0) {
    for (const failure of failures) say(`${failure.kind} ${failure.name}: ${failure.message}`);
    const console = nextCommand(global, ['toolbox', 'console', 'MACHINE']);
    const validate = nextCommand(global, ['validate', 'cluster', cluster, '--wait', '10m']);
    say(`Error: the cluster ${cluster} is not valid yet`);
    say(`Next:  look at a machine with \`${console}\`, or wait on: \`${validate}\``);
    return 1;
  }
  const after = result.changed > 0 ? ` after ${((Date.now() - startedMs) / 1000).toFixed(1)} s` : '';
  say(`The cluster ${cluster} is ready${after}.`);
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

import type { Operation, Stage } from '@kopsctl/actions/upgrade/operation.ts';
import type { ReconciledCluster } from '@kopsctl/actions/reconcile-cluster.ts';
import type { UpgradedCluster } from '@kopsctl/actions/upgrade-cluster.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { printPlanned } from './print-planned.ts';
import { table } from './table.ts';
import { writeErr, writeOut, writeProblem } from './terminal.ts';

/** What a stage does, as a person reads it. */
export const STAGE_TEXTS: Readonly<Record<Stage['what'], string>> = {
  'set-spec': 'set the spec',
  'update-control-planes': 'update what control planes need',
  'roll-control-planes': 'roll control planes',
  update: 'update everything else',
  roll: 'roll all other machines',
  prune: 'prune what is no longer wanted',
};

/** One line about an upgrade or a reconciliation that begins. */
export function describeOperation({ kind, stages }: Operation, isResumed: boolean): string {
  const [name, version] = [
    kind === 'Upgrade' ? 'the upgrade to' : 'the reconciliation with',
    stages.at(-1)?.kubernetes ?? '',
  ];
  const open = stages.filter(({ state }) => state !== 'done').length;
  return `${isResumed ? 'resuming ' : ''}${name} Kubernetes ${version}: ${open} stages`;
}

/** Prints what an upgrade would change, as kops does, or how it ended, and returns the exit code. */
export function printUpgraded(
  global: GlobalOptions,
  { cluster, proposals, stages, unfinished, operation }: UpgradedCluster,
  yes: boolean,
): number {
  if (unfinished !== undefined) {
    writeOut(stagesTable(unfinished.stages));
    const since = new Date(unfinished.startedMs).toISOString();
    writeErr(`An upgrade that began at ${since} was left unfinished (${unfinished.state}); --yes resumes it.\n`);
    return 0;
  }
  if (proposals.length === 0 && operation === undefined) {
    writeErr('No upgrade required\n');
    return 0;
  }
  if (proposals.length > 0) {
    const rows = proposals.map((one) => [one.item, one.property, one.old, one.new]);
    writeOut(table(['ITEM', 'PROPERTY', 'OLD', 'NEW'], rows));
  }
  if (operation !== undefined) return printOperationEnd(global, cluster, operation);
  if (!yes) {
    const versions = [...new Set(stages.map(({ kubernetes }) => kubernetes))];
    writeErr(
      `All machines are replaced ${versions.length === 1 ? 'once' : `${versions.length} times`}, control planes first: ${versions.join(', then ')}.\n` +
        'Must specify --yes to perform upgrade\n',
    );
  }
  return 0;
}

/** Prints what a reconciliation would change, or how it ended, and returns the exit code. */
export const printReconciled = (global: GlobalOptions, reconciled: ReconciledCluster): number =>
  reconciled.kind === 'planned'
    ? printPlanned(global, reconciled.planned, { output: 'text' })
    : printOperationEnd(global, reconciled.cluster, reconciled.operation);

/** Prints how an upgrade or a reconciliation ended, and returns the exit code. */
function printOperationEnd(global: GlobalOptions, cluster: string, operation: Operation): number {
  const { kind, state, why, stages } = operation;
  const [name, verb] =
    kind === 'Upgrade' ? (['upgrade', 'upgrade'] as const) : (['reconciliation', 'reconcile'] as const);
  if (state === 'done') {
    const version = stages.at(-1)?.kubernetes ?? '';
    writeErr(`The ${name} of ${cluster} is completed: all machines run Kubernetes ${version}.\n`);
    return 0;
  }
  const due = stages.find((stage) => stage.state !== 'done');
  if (why !== undefined) {
    if (state === 'failed') writeProblem({ message: why, details: { exitCode: 1 } });
    else writeErr(`Note: ${why}\n`);
  }
  const at = due === undefined ? '' : ` at ${due.kubernetes}, ${STAGE_TEXTS[due.what]}`;
  // Only resuming keeps to what was asked for, which is in the journal.
  const next =
    state === 'aborted'
      ? `A new one: ${nextCommand(global, [verb, 'cluster', cluster, '--yes'])}`
      : `To continue: ${nextCommand(global, ['rolling-update', 'resume', cluster])}`;
  writeErr(`The ${name} of ${cluster} is ${state}${at}. ${next}\n`);
  return state === 'paused' || state === 'aborted' ? 0 : 1;
}

export const stagesTable = (stages: readonly Stage[]): string =>
  table(
    ['KUBERNETES', 'STAGE', 'STATE', 'SINCE'],
    stages.map(({ kubernetes, what, state, sinceMs }) => [
      kubernetes,
      STAGE_TEXTS[what],
      state,
      sinceMs === undefined ? '' : new Date(sinceMs).toISOString(),
    ]),
  );

import type { RollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { describeOutdated } from '@kopsctl/actions/outdated/plan-outdated.ts';
import type { RollingCluster } from '@kopsctl/actions/roll-cluster.ts';
import type { Roll } from '@kopsctl/actions/rolling/roll.ts';
import { isLeft, type Operation } from '@kopsctl/actions/upgrade/operation.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { stagesTable } from './print-upgraded.ts';
import { table } from './table.ts';
import { unadoptedLines } from './unadopted-lines.ts';
import { paintOutdated } from './paint.ts';
import { writeDocument, writeErr, writeOut, writePainted, writeProblem } from './terminal.ts';

/** Prints which machines are outdated, or how replacing them ended, and returns the exit code. */
export function printRolling(
  global: GlobalOptions,
  rolling: RollingCluster,
  { yes, output }: { readonly yes: boolean; readonly output: 'table' | 'json' },
): number {
  const { cluster, roll, unfinished, unadopted, outdated } = rolling;
  if (roll !== undefined) return printEnd(global, cluster, roll);
  if (output === 'json') {
    // With --yes, each line is an event, and there was none.
    if (!yes) writeDocument(`${JSON.stringify(documentOf(rolling), null, 2)}\n`);
  } else writePainted(groupsTable(rolling), paintOutdated);
  if (unfinished !== undefined) {
    const since = new Date(unfinished.startedMs).toISOString();
    writeErr(`A rolling update that began at ${since} was left unfinished (${unfinished.state}); --yes resumes it.\n`);
  }
  // Scripts look for the sentences of kops.
  const say = output === 'json' ? writeErr : writeOut;
  if (outdated.length === 0 && unfinished === undefined) say('No rolling-update required.\n');
  else if (unadopted !== undefined) writeErr(unadoptedLines(global, cluster, unadopted));
  else if (!yes) say('Must specify --yes to rolling-update.\n');
  return 0;
}

const documentOf = ({ cluster, groups, outdated, notInPlace, unfinished }: RollingCluster) => ({
  cluster,
  groups: groups.map(({ name, role, wanted, machines }) => ({ name, role, wanted, machines: machines.length })),
  outdated: outdated.map((one) => ({
    machine: one.machine.name,
    node: one.machine.nodeName,
    instanceGroup: one.machine.instanceGroup,
    reason: one.reason,
    why: describeOutdated(one),
    runs: one.runs,
    wanted: one.wanted,
    differences: one.differences,
    inPlace: one.inPlace,
  })),
  notInPlace,
  unfinished,
});

function groupsTable({ groups, outdated, notInPlace }: RollingCluster): string {
  const of = (group: string) => outdated.filter(({ machine }) => machine.instanceGroup === group);
  const rows = groups.map(({ name, role, machines, wanted }) => {
    const needing = of(name).length;
    const status = needing === 0 ? 'Ready' : 'NeedsUpdate';
    return [name, status, String(needing), String(machines.length - needing), String(wanted), role];
  });
  const lines = [
    ...outdated.map(
      (one) => `${one.machine.name}: ${describeOutdated(one)}${one.inPlace ? '; it is changed in place' : ''}\n`,
    ),
    ...(notInPlace ?? []).map(
      ({ machine, why }) => `${machine}: it is replaced, because a change in place is not possible: ${why}\n`,
    ),
  ];
  return [table(['NAME', 'STATUS', 'NEEDUPDATE', 'READY', 'TARGET', 'ROLE'], rows), ...lines].join('');
}

/** Prints how a rolling update ended, and returns the exit code. */
export function printEnd(global: GlobalOptions, cluster: string, roll: Roll): number {
  const { state, turns, blocked } = roll;
  // It keeps to what was asked for, which is in the journal.
  const again = nextCommand(global, ['rolling-update', 'resume', cluster]);
  for (const { name, failure, step } of turns) {
    if (failure === undefined) continue;
    if (step === 'failed') writeProblem({ message: `${name}: ${failure}` });
    else writeErr(`Note: ${name}: ${failure}\n`);
  }
  if (state === 'done') {
    writeErr(`Rolling update of ${cluster} completed.\n`);
    return exitCodeOf(roll);
  }
  if (blocked !== undefined) writeProblem({ message: `the rolling update cannot continue: ${blocked.why}` });
  for (const { name, step } of turns) {
    if (step !== 'done' && step !== 'failed' && step !== 'waiting') writeErr(`${name} was left at the step ${step}\n`);
  }
  writeErr(`The rolling update of ${cluster} is ${state}. Next: ${again}\n`);
  return exitCodeOf(roll);
}

/** 0 where it ended as the person wanted, and nothing is left that only a person can see to. */
export function exitCodeOf({ state, turns }: Pick<Roll, 'state' | 'turns'>): number {
  if (state === 'done' || state === 'paused') return 0;
  const isAmiss = turns.some(
    ({ step, failure }) => step === 'failed' || (step === 'validate' && failure !== undefined),
  );
  return state === 'aborted' && !isAmiss ? 0 : 1;
}

/** Prints how far a rolling update is. */
export function printRollStatus(
  global: GlobalOptions,
  { cluster, roll, roller, operation, upgrader }: RollStatus,
  output: 'table' | 'json',
): void {
  if (output === 'json') {
    writeDocument(`${JSON.stringify({ cluster, roll, roller, operation, upgrader }, null, 2)}\n`);
    return;
  }
  if (operation !== undefined && (isLeft(operation) || upgrader !== undefined)) {
    printOperationStatus(global, cluster, operation, upgrader);
  }
  if (roll === undefined) {
    writeOut(`${cluster} was never rolled.\n`);
    return;
  }
  const rows = roll.turns.map(({ name, instanceGroup, role, step, sinceMs, why, failure }) => [
    name,
    instanceGroup,
    role,
    step,
    new Date(sinceMs).toISOString(),
    failure ?? why,
  ]);
  writeOut(table(['MACHINE', 'GROUP', 'ROLE', 'STEP', 'SINCE', 'WHY'], rows));
  const began = new Date(roll.startedMs).toISOString();
  const who =
    roller === undefined
      ? 'no process is rolling it now'
      : `${roller.owner} has been rolling it since ${new Date(roller.acquiredMs).toISOString()}`;
  const isCutOff = roll.state === 'rolling' && roller === undefined;
  writeErr(`${roll.state}, since ${began}; ${who}${roll.wish === undefined ? '' : `; asked to ${roll.wish}`}\n`);
  if (isCutOff) writeErr(`It was interrupted. Next: ${nextCommand(global, ['rolling-update', 'resume', cluster])}\n`);
}

/** Prints how far the upgrade or the reconciliation is that rolling updates are stages of. */
function printOperationStatus(
  global: GlobalOptions,
  cluster: string,
  { kind, state, startedMs, wish, stages }: Operation,
  upgrader: RollStatus['upgrader'],
): void {
  writeOut(stagesTable(stages));
  const who = upgrader === undefined ? 'nobody works on it now' : `${upgrader.owner} works on it`;
  const asked = wish === undefined ? '' : `; asked to ${wish}`;
  writeErr(`${kind}: ${state}, since ${new Date(startedMs).toISOString()}; ${who}${asked}\n`);
  if (upgrader !== undefined) return;
  writeErr(`To continue: ${nextCommand(global, ['rolling-update', 'resume', cluster])}\n`);
}

import type { HealedCluster } from '@kopsctl/actions/heal-cluster.ts';
import { hasFailed } from '@kopsctl/actions/healing/heal-roll.ts';
import type { UnwellMachine } from '@kopsctl/actions/healing/plan-healing.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { writeErr, writeOut, writeProblem } from './terminal.ts';

/** What a look at a cluster found, for programs. */
export const healingDocument = ({ cluster, plan: { replace, held, machines }, roll }: HealedCluster) => ({
  cluster,
  machines,
  ...(replace && { replace: shown(replace) }),
  held: held.map((one) => ({ ...shown(one), because: one.because })),
  ...(roll && { roll: { id: roll.id, state: roll.state } }),
});

const shown = ({ machine, why, sinceMs }: UnwellMachine) => ({
  machine: machine.name,
  node: machine.nodeName,
  instanceGroup: machine.instanceGroup,
  why,
  since: new Date(sinceMs).toISOString(),
});

/** Prints which machines are unwell, and what became of the one that was replaced. */
export function printHealed(
  { cluster, plan: { replace, held, machines }, roll }: HealedCluster,
  { yes }: { readonly yes: boolean },
): void {
  for (const one of held) writeOut(`${one.machine.name}: ${described(one)}; it stays: ${one.because}\n`);
  if (replace !== undefined) writeOut(`${replace.machine.name}: ${described(replace)}; it should be replaced\n`);
  else if (held.length === 0) writeOut(`All ${machines} machines of ${cluster} are healthy.\n`);
  if (replace !== undefined && !yes) writeErr('Add --yes to replace it.\n');
  for (const { name, failure } of roll?.turns ?? []) {
    if (failure !== undefined) writeErr(`Note: ${name}: ${failure}\n`);
  }
  if (roll !== undefined && roll.turns.length > 0 && !hasFailed(roll)) writeErr('The machine was replaced.\n');
}

/** Says that a replacement has failed, if it has, and returns the exit code. */
export function printHealingFailure(global: GlobalOptions, { cluster, roll }: HealedCluster): number {
  if (roll === undefined || !hasFailed(roll)) return 0;
  const state = roll.state === 'done' ? 'not finished' : roll.state;
  const next = nextCommand(global, ['rolling-update', 'status', cluster]);
  writeProblem({ message: `the replacement is ${state}`, next, details: { exitCode: 1 } });
  return 1;
}

const described = ({ why, sinceMs }: UnwellMachine): string => `${why} since ${new Date(sinceMs).toISOString()}`;

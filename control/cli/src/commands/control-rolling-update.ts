import { abortRoll } from '@kopsctl/actions/abort-roll.ts';
import { askRoller, rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { resumeRoll } from '@kopsctl/actions/resume-roll.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { printRolling, printRollStatus } from '../output/print-rolling.ts';
import { printReconciled, printUpgraded } from '../output/print-upgraded.ts';
import { rollRequestOf } from '../flags/roll-flags.ts';
import { writeErr } from '../output/terminal.ts';

/** Prints how far the latest rolling update is. */
export async function status(
  global: GlobalOptions,
  cluster: string | undefined,
  { output }: { readonly output: 'table' | 'json' },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  printRollStatus(global, await rollStatus(actionContext(global, env), { cluster }), output);
  return 0;
}

/** Asks the process that rolls to begin with no further machine. */
export async function pause(global: GlobalOptions, name: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  const { cluster, roller, upgrader } = await askRoller(actionContext(global, env), 'pause', { cluster: name });
  writeErr(
    `${(upgrader ?? roller)?.owner ?? ''} pauses after the machines that are under way. Next: ${nextCommand(global, ['rolling-update', 'resume', cluster])}\n`,
  );
  return 0;
}

/** Resumes it where it was left, or the upgrade or the reconciliation that it was a part of. */
export async function resume(
  global: GlobalOptions,
  cluster: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const resumed = await resumeRoll(workingContext(global, env), { cluster, manner: mannerWith(assets) });
  switch (resumed.kind) {
    case 'RollingUpdate':
      return printRolling(global, resumed.rolling, { yes: true, output: 'table' });
    case 'Upgrade':
      return printUpgraded(global, resumed.upgraded, true);
    case 'Reconciliation':
      return printReconciled(global, resumed.reconciled);
  }
}

/** Asks the process that rolls to end it; if there is none, puts back what the last one left. */
export async function abort(
  global: GlobalOptions,
  name: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const aborted = await abortRoll(workingContext(global, env), { cluster: name, manner: mannerWith(assets) });
  const { kind, cluster } = aborted;
  if (kind === 'asked') {
    const next = nextCommand(global, ['rolling-update', 'status', cluster]);
    writeErr(`Asked ${aborted.owner} to end the rolling update. Next: ${next}\n`);
    return 0;
  }
  if (aborted.staysAt !== undefined) writeErr(`The cluster stays at Kubernetes ${aborted.staysAt}.\n`);
  if (aborted.rolling !== undefined) return printRolling(global, aborted.rolling, { yes: true, output: 'table' });
  writeErr(`No rolling update of ${cluster} was left unfinished: there is nothing to put back.\n`);
  return 0;
}

const workingContext = (global: GlobalOptions, env: NodeJS.ProcessEnv): ActionContext =>
  actionContext(global, env, { tells: 'changes', endsInOrder: true });

const mannerWith = (assets: string | undefined) => rollRequestOf(assets === undefined ? {} : { assets });

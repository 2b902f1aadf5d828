import { askRoller, endOperation, type RollStatus, rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { isUnfinished } from '@kopsctl/actions/rolling/start-roll.ts';
import { isLeft, reachedBy } from '@kopsctl/actions/upgrade/operation.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nextCommand } from '../next-command.ts';
import { printRollStatus } from '../print-rolling.ts';
import { writeErr } from '../terminal.ts';
import { reconcile } from './reconcile.ts';
import { rollingUpdate } from './rolling-update.ts';
import { upgrade } from './upgrade.ts';

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

/** Goes on where it was left: with the upgrade or the reconciliation, where it was a part of one. */
export async function resume(
  global: GlobalOptions,
  cluster: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { operation } = await rollStatus(actionContext(global, env), { cluster });
  const options = { yes: true, resumes: true, ...(assets !== undefined && { assets }) };
  if (!isLeft(operation)) return rollingUpdate(global, cluster, options, env);
  return operation.kind === 'Upgrade'
    ? upgrade(global, cluster, options, env)
    : reconcile(global, cluster, options, env);
}

/** Asks the process that rolls to end it; where none does, puts back what the last one left. */
export async function abort(
  global: GlobalOptions,
  name: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env);
  const found: RollStatus = await rollStatus(context, { cluster: name });
  if (found.roller === undefined && found.upgrader === undefined) {
    const ended = await endOperation(context, { cluster: name });
    if (ended?.state === 'aborted') writeErr(`The cluster stays at Kubernetes ${reachedBy(ended)}.\n`);
    if (!isUnfinished(found.roll)) {
      writeErr(`No rolling update of ${found.cluster} was left unfinished: there is nothing to put back.\n`);
      return 0;
    }
    return rollingUpdate(global, name, { yes: true, ...(assets !== undefined && { assets }) }, env, true);
  }
  const { cluster, roller, upgrader } = await askRoller(context, 'abort', { cluster: name });
  writeErr(
    `${(upgrader ?? roller)?.owner ?? ''} ends it. Next: ${nextCommand(global, ['rolling-update', 'status', cluster])}\n`,
  );
  return 0;
}

import { askRoller, type RollStatus, rollStatus } from '@kopsctl/actions/control-rolling-update.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nextCommand } from '../next-command.ts';
import { printRollStatus } from '../print-rolling.ts';
import { writeErr } from '../terminal.ts';
import { rollingUpdate } from './rolling-update.ts';

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

/** Asks whoever rolls to begin with no further machine. */
export async function pause(global: GlobalOptions, name: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  const { cluster, roller } = await askRoller(actionContext(global, env), 'pause', { cluster: name });
  writeErr(
    `${roller?.owner ?? ''} begins with no further machine. Next: ${nextCommand(global, ['rolling-update', 'resume', cluster])}\n`,
  );
  return 0;
}

/** Goes on where it was left. */
export const resume = (
  global: GlobalOptions,
  cluster: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> => rollingUpdate(global, cluster, { yes: true, ...(assets !== undefined && { assets }) }, env);

/** Asks whoever rolls to end it; where nobody does, puts back what the last one left. */
export async function abort(
  global: GlobalOptions,
  name: string | undefined,
  { assets }: { readonly assets?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env);
  const found: RollStatus = await rollStatus(context, { cluster: name });
  if (found.roller === undefined) {
    return rollingUpdate(global, name, { yes: true, ...(assets !== undefined && { assets }) }, env, true);
  }
  const { cluster, roller } = await askRoller(context, 'abort', { cluster: name });
  writeErr(`${roller?.owner ?? ''} ends it. Next: ${nextCommand(global, ['rolling-update', 'status', cluster])}\n`);
  return 0;
}

import { rotateKeypairs as rotate } from '@kopsctl/actions/rotate-keypairs.ts';
import type { RollManner } from '@kopsctl/actions/roll-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printRotated } from '../output/print-rotated.ts';
import { type RollFlags, rollRequestOf } from '../flags/roll-flags.ts';

export interface RotateOptions extends RollFlags {
  /** Machines are replaced as well; otherwise the commands for that are printed. */
  readonly roll?: boolean;
}

/** Continues the exchange of all key pairs. Exits with 2 where something is left to do. */
export async function rotateKeypairs(
  global: GlobalOptions,
  name: string | undefined,
  options: RotateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false, roll = true } = options;
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const choice = { apiServer: options.apiServer, usesKubeconfig: options.useKubeconfig };
  const rotated = await rotate(context, { cluster: name, yes, choice, ...(roll && { manner: mannerOf(options) }) });
  return printRotated(global, rotated, { yes, rolls: roll });
}

/** What a person may say about how machines are rolled. */
const MANNER = ['budget', 'drainTimeout', 'validationTimeout'] as const;

/** Without these flags, a rotation that is resumed keeps what was asked for before. */
function mannerOf(options: RotateOptions): RollManner {
  const resumes = MANNER.every((name) => options[name] === undefined);
  return { ...rollRequestOf(options), resumes };
}

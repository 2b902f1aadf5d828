import {
  type ChangedKeypairs,
  createKeypair as create,
  distrustKeypair as distrust,
  promoteKeypair as promote,
  trustKeypair as trust,
} from '@kopsctl/actions/change-keypairs.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeErr, writeOut, writeResult } from '../output/terminal.ts';

/** Prints what was changed, a line each, and what puts it into effect. */
function print(global: GlobalOptions, { cluster, changed }: ChangedKeypairs): number {
  for (const { keyset, id, change } of changed) {
    writeResult({ message: `${keyset}\t${id}\t${change}`, details: { keyset, id, change } });
  }
  if (changed.length === 0) writeOut('nothing to change\n');
  else {
    const update = nextCommand(global, ['update', 'cluster', cluster, '--yes']);
    const roll = nextCommand(global, ['rolling-update', 'cluster', cluster, '--yes']);
    writeErr(`Machines learn of it when they are rolled. Next:\n  ${update}\n  ${roll}\n`);
  }
  return 0;
}

export interface CreateKeypairOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly primary?: boolean;
}

export const createKeypair = async (
  global: GlobalOptions,
  keyset: string,
  { cert, key, primary = false }: CreateKeypairOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> => print(global, await create(actionContext(global, env), { keyset, cert, key, primary }));

export const promoteKeypair = async (
  global: GlobalOptions,
  keyset: string,
  id: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<number> => print(global, await promote(actionContext(global, env), { keyset, id }));

export const distrustKeypair = async (
  global: GlobalOptions,
  keyset: string,
  ids: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> => print(global, await distrust(actionContext(global, env), { keyset, ids }));

export const trustKeypair = async (
  global: GlobalOptions,
  keyset: string,
  ids: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> => print(global, await trust(actionContext(global, env), { keyset, ids }));

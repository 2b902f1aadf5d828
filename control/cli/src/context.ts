import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { authorOfProcess } from './author.ts';
import type { GlobalOptions } from './flags/global-options.ts';
import { interruption } from './interruption.ts';
import { narrator, type Telling } from './output/narrate.ts';

export interface ContextOptions {
  /** What is reported about the work; notes are always reported. */
  readonly tells?: Telling;
  /** The first Ctrl-C ends the action in good order; without this option, it ends the process. */
  readonly endsInOrder?: boolean;
}

/** What an action is given when a command runs it. */
export function actionContext(
  global: GlobalOptions,
  env: NodeJS.ProcessEnv,
  { tells = 'nothing', endsInOrder = false }: ContextOptions = {},
): ActionContext {
  const { state, name, stateFlag, verbosity } = global;
  return {
    ...(state !== undefined && { state }),
    ...(name !== undefined && { name }),
    author: authorOfProcess(global, env),
    env,
    signal: endsInOrder ? interruption() : new AbortController().signal,
    onEvent: narrator(tells, { stateFlag, verbosity }),
  };
}

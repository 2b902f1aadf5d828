import { hostname } from 'node:os';
import type { ChangeAuthor } from '@kopsctl/actions/history/spec-change.ts';
import { userName } from '@kopsctl/actions/store/user-name.ts';
import { shellWords } from '@kopsctl/node-plan/shell-word.ts';
import type { GlobalOptions } from './flags/global-options.ts';

/** A command of many settings is cut to this in the history. */
const MAX_COMMAND_LENGTH = 500;

/** The author of changes that this process makes to specs. */
export function authorOfProcess({ why }: GlobalOptions, env: NodeJS.ProcessEnv): ChangeAuthor {
  const words = shellWords(['kopsctl', ...process.argv.slice(2)]);
  const command = words.length > MAX_COMMAND_LENGTH ? `${words.slice(0, MAX_COMMAND_LENGTH)}…` : words;
  return { who: `${env['SUDO_USER'] ?? userName()}@${hostname()}`, command, ...(why !== undefined && { why }) };
}

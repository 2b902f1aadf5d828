import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';
import { continueWhenStopped } from './continue-stopped.ts';

export interface RunOptions {
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program of the host and gives its output; a failure says what it was for and what the program said. */
export async function run(
  what: string,
  command: string,
  args: readonly string[],
  { input, signal }: RunOptions = {},
): Promise<string> {
  const running = execa(command, args, {
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  const result = await running.finally(continueWhenStopped(running.pid));
  if (!result.failed) return result.stdout;
  signal?.throwIfAborted();
  throw new ActionableError({
    what,
    why: `\`${[command, ...args].join(' ')}\` failed: ${result.stderr.trim() || result.shortMessage}`,
    next: "run `kopsctl apply` again; when it stays, that program's message says what the host refuses",
  });
}

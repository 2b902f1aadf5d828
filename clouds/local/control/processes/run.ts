import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';
import { continueWhenStopped } from './continue-stopped.ts';

export interface RunOptions {
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program on the host and returns its output; an error contains the purpose and the message of the program. */
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
    next: 'run `kopsctl apply --yes` again; if it fails again, see the message from the program',
  });
}

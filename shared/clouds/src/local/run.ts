import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ExecaError, execa } from 'execa';

/** Runs a program of the host and gives its output; a failure says what it was for and what the program said. */
export async function run(
  what: string,
  command: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  try {
    const { stdout } = await execa(command, args, {
      stdin: 'ignore',
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    });
    return stdout;
  } catch (cause) {
    if (!(cause instanceof ExecaError)) throw cause;
    throw new ActionableError({
      what,
      why: `\`${[command, ...args].join(' ')}\` failed: ${String(cause.stderr ?? '').trim() || cause.shortMessage}`,
      next: "run `kopsctl apply` again; when it stays, that program's message says what the host refuses",
      cause,
    });
  }
}

import { execa } from 'execa';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell and reports how it ended; 127 when there is no such program. */
export async function tryCommand(
  file: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const result = await execa(file, args, { reject: false, cancelSignal: signal, stdin: 'ignore', env });
  signal.throwIfAborted();
  const missing = result.code === 'ENOENT';
  return { exitCode: missing ? 127 : (result.exitCode ?? 255), stdout: result.stdout, stderr: result.stderr };
}

/** The reason of a failure is at the end of what a program prints. */
const SHOWN_LINES = 4;

/** Runs a program that must succeed, and returns what it printed. */
export async function runCommand(
  what: string,
  file: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const result = await tryCommand(file, args, signal, env);
  if (result.exitCode === 0) return result.stdout;
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-SHOWN_LINES).join('\n');
  throw new ActionableError({
    what,
    why: result.exitCode === 127 ? `${file} is not installed` : `${file} ended with ${result.exitCode}: ${said}`,
    next: `run it by hand: ${[file, ...args].join(' ')}`,
  });
}

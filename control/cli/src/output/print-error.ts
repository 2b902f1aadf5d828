import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isAbort } from '@kopsctl/errors/is-abort.ts';
import { CommanderError } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import { withState } from './next-command.ts';
import { writeErr, writeProblem } from './terminal.ts';

export interface ErrorPrinting {
  /** The state store, where it was given by --state. */
  readonly stateFlag?: string | undefined;
  /** The words of the command that was run, as far as they name one. */
  readonly path: readonly string[];
  /** As -v says it: from 1 on, the causes of an error are told as well. */
  readonly verbosity: number;
}

/** Prints what ended a command, and returns the exit code. */
export function printError(thrown: unknown, { stateFlag, path, verbosity }: ErrorPrinting): ExitCode {
  if (thrown instanceof CommanderError) {
    // Help and the version were asked for, and are printed.
    if (thrown.exitCode === 0) return 0;
    // A group of commands without a subcommand: its help is printed.
    if (thrown.code !== 'commander.help') {
      const [first = '', ...hints] = thrown.message.replace(/^error: /, '').split('\n');
      const help = `\`${['kopsctl', ...path].join(' ')} --help\` says what it takes`;
      writeProblem({
        message: [first.replace(/\.$/, ''), ...hints].join(' '),
        next: help,
        details: { exitCode: 3 },
      });
    }
    return 3;
  }
  if (!(thrown instanceof ActionableError) && isAbort(thrown)) {
    writeProblem({ message: 'stopped before all was done; what was done so far stays', details: { exitCode: 1 } });
    if (verbosity > 0) tellCauses(thrown);
    return 1;
  }
  if (!(thrown instanceof ActionableError) && isRefusedBySystem(thrown)) {
    const { path, message } = thrown;
    writeProblem({
      message: path === undefined ? message : `cannot use ${path}: ${message}`,
      next:
        path === undefined
          ? 'repeat the command with -v 1: it also says where this happened'
          : 'check the path, the permissions and the free space',
      details: { exitCode: 1 },
    });
    if (verbosity > 0) tellCauses(thrown);
    return 1;
  }
  if (!(thrown instanceof ActionableError)) {
    writeProblem({
      message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      details: { exitCode: 1 },
    });
    return 1;
  }
  const exitCode = thrown.isUsage || thrown.name === 'InvalidSpecError' ? 3 : 1;
  const { what, why } = thrown;
  const faults = 'errors' in thrown ? thrown.errors : undefined;
  const next = withState(thrown.next, stateFlag);
  writeProblem({ message: thrown.message, next, details: { what, why, exitCode, faults } });
  if (verbosity > 0) tellCauses(thrown.cause);
  return exitCode;
}

/** A file that is missing, a disk that is full, a connection that is refused: not a defect, so its place in the code says nothing. */
const isRefusedBySystem = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && 'code' in thrown && 'syscall' in thrown;

function tellCauses(first: unknown): void {
  for (let cause = first; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    writeErr(`because of: ${cause instanceof Error ? (cause.stack ?? cause.message) : messageOf(cause)}\n`);
  }
}

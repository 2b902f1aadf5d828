import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Outcome } from './program.ts';
import { VERSION } from './version.ts';
import { endWithReader, writeErr, writeOut } from './terminal.ts';

/** 0 done, 1 failed, 2 changes pending (only with --exit-code), 3 usage or invalid spec. */
export type ExitCode = 0 | 1 | 2 | 3;

/**
 * kopsctl. Takes the arguments without node and script name and returns the exit code.
 * Everything but the version is loaded when it is needed, so that small commands stay quick.
 */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first] = argv;
  endWithReader();
  if (first === '--version' || (first === 'version' && argv.length === 1)) {
    writeOut(`kopsctl ${VERSION}\n`);
    return 0;
  }
  // Clouds on this computer start this program again for what has to keep running.
  if (first?.endsWith('-supervisor') === true) {
    const { runHostProcess } = await import('@kopsctl/actions/run-host-process.ts');
    if (await runHostProcess(first, argv.slice(1))) return 0;
  }
  const { buildProgram } = await import('./program.ts');
  const outcome: Outcome = { code: 0 };
  try {
    const { arrange } = await import('./arguments.ts');
    const program = buildProgram(env, outcome);
    await program.parseAsync(arrange(argv, program), { from: 'user' });
    return outcome.code;
  } catch (error) {
    return await failed(error, outcome.stateFlag);
  }
}

async function failed(error: unknown, stateFlag: string | undefined): Promise<number> {
  const { CommanderError } = await import('commander');
  // Commander has already printed its message or the help text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 3;
  if (error instanceof ActionableError) {
    const { withState } = await import('./next-command.ts');
    writeErr(`Error: ${error.message}\nNext:  ${withState(error.next, stateFlag)}\n`);
    return error.name === 'InvalidSpecError' ? 3 : 1;
  }
  writeErr(`Error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

/** Not awaited by this module: the program is bundled into one without top-level await. */
async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), process.env);
}

if (import.meta.main) void start();

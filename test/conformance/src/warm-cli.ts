import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cli, repository } from './recorded-cases.ts';

/** How a command ended. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line without the program, and all of its environment. */
export interface Asked {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The entry of the bundle that `cli` starts. */
const ENTRY = join(repository, 'dist/.build/kopsctl/main.cjs');

/** Processes that have run a command and wait for the next one. They end with this process. */
const waiting: ChildProcess[] = [];

/**
 * Runs the program under test in a process that has run it before, which takes a quarter of the processor time: most of a
 * short command is what Node does to load and to compile the program. Commands at the same time are in different processes.
 * A test that kills the program, or asks how it starts or ends, needs a process of its own (`cli`).
 *
 * @param env what is different from the environment of this process; undefined: the variable is not set
 */
export async function runCli(argv: readonly string[], env: Readonly<NodeJS.ProcessEnv> = {}): Promise<Ran> {
  const child = waiting.pop() ?? start();
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]): never => {
    throw new Error(`kopsctl ${argv.join(' ')}: its process ended with ${code ?? signal}`);
  });
  child.channel?.ref();
  try {
    child.send({ argv, env: { ...process.env, ...env } } satisfies Asked);
    const [ran]: readonly Ran[] = await Promise.race([once(child, 'message', { signal: over.signal }), ended]);
    if (ran === undefined) throw new Error(`kopsctl ${argv.join(' ')}: there is no answer`);
    waiting.push(child);
    return ran;
  } finally {
    child.channel?.unref();
    over.abort();
  }
}

function start(): ChildProcess {
  const [program] = cli;
  const child = fork(join(import.meta.dirname, 'warm-cli-process.ts'), [ENTRY], {
    execPath: program,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A worker whose tests have ended does not wait for it.
  child.unref();
  return child;
}

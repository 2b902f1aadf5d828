import { HOST_PROCESS } from '@kopsctl/model/host-process.ts';
import type { Outcome } from './program.ts';
import { VERSION } from './version.ts';
import { tellWarnings } from './output/tell-warnings.ts';
import { endWithReader, narrateAsJson, showBar, writeOut } from './output/terminal.ts';

/**
 * kopsctl. Takes the arguments without node and script name and returns the exit code.
 * Everything but the version is loaded when it is needed, so that small commands stay quick.
 */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first] = argv;
  endWithReader();
  narrateAsJson(asksForJson(argv));
  if (first === '--version' || (first === 'version' && argv.length === 1)) {
    writeOut(`kopsctl ${VERSION}\n`);
    return 0;
  }
  // Clouds on this computer start this program again for what has to keep running.
  if (first === HOST_PROCESS) {
    const { runHostProcess } = await import('@kopsctl/actions/run-host-process.ts');
    const [, name = '', ...rest] = argv;
    if (await runHostProcess(name, rest)) return 0;
  }
  if (first === '__complete') return printCompletions(argv.slice(1), env);
  const { buildProgram } = await import('./program.ts');
  const outcome: Outcome = { code: 0, path: [], verbosity: 0 };
  tellWarnings(() => outcome.verbosity > 0);
  try {
    const { arrange } = await import('./flags/arguments.ts');
    const program = await buildProgram(env, outcome, first);
    if (asksForHelp(argv)) (await import('./help/examples.ts')).addExamples(program);
    const { words, path } = arrange(argv, program);
    outcome.path = path;
    await program.parseAsync(words, { from: 'user' });
    return outcome.code;
  } catch (error) {
    const { printError } = await import('./output/print-error.ts');
    return printError(error, outcome);
  } finally {
    // The shell writes its prompt where the cursor is.
    showBar('');
  }
}

/** For the scripts of shells, which ask at each key. */
async function printCompletions(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [{ buildProgram }, { printCompletions: print }] = await Promise.all([
    import('./program.ts'),
    import('./completion/print-completions.ts'),
  ]);
  await print((first) => buildProgram(env, { code: 0, path: [], verbosity: 0 }, first), argv, env);
  return 0;
}

/** Whether the words may do that: examples that are not shown after all do no harm. */
const asksForHelp = (argv: readonly string[]): boolean =>
  argv[0] === 'help' || argv.some((word) => word === '--help' || /^-\w*h$/.test(word));

/** Read before everything else: a command line that cannot be read is a problem as well. */
const asksForJson = (argv: readonly string[]): boolean => {
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  return words.some(
    (word, index) =>
      /^(--output=|-o=?)json$/.test(word) || (/^(--output|-o)$/.test(word) && words[index + 1] === 'json'),
  );
};

/** Not awaited by this module: the program is bundled into one without top-level await. */
async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), process.env);
}

if (import.meta.main) void start();

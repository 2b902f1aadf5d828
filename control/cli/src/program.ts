import { Command, Option } from 'commander';
import { declarationsFor } from './declare/declarations.ts';
import { type GlobalOptions, refuseOtherNames } from './flags/global-options.ts';
import { addResultsOption, type Declaring, parseCount } from './declare/declaring.ts';
import { writeDocument, writeErr } from './output/terminal.ts';
import { VERSION } from './version.ts';

/** What running a command leaves behind. */
export interface Outcome {
  code: number;
  /** The state store, where it was given by --state. */
  stateFlag?: string;
  /** The words that name the command. */
  path: readonly string[];
  /** As -v says it. */
  verbosity: number;
}

/** Flags of the log that kops has, or once had, on every command: they are accepted, but there is no such log. */
const FORMER_LOG_SWITCHES = [
  'add_dir_header',
  'alsologtostderr',
  'legacy_stderr_threshold_behavior',
  'logtostderr',
  'one_output',
  'skip_headers',
  'skip_log_headers',
];
const FORMER_LOG_OPTIONS = [
  'alsologtostderrthreshold',
  'log_backtrace_at',
  'log_dir',
  'log_file',
  'log_file_max_size',
  'stderrthreshold',
  'vmodule',
];

/** The only options of what is above a command that it has too are those of the program. */
const HELP = {
  showGlobalOptions: true,
  visibleGlobalOptions: (command: Command): Option[] => {
    let root = command;
    while (root.parent !== null) root = root.parent;
    return root === command ? [] : root.options.filter(({ hidden }) => !hidden);
  },
};

/**
 * The command tree. Each command's code is imported when it runs; a command prints its results to stdout,
 * its narration to stderr, and leaves its exit code in `outcome`.
 *
 * @param first the first word of the command line, where only what it names is wanted: see declarationsFor
 */
export async function buildProgram(env: NodeJS.ProcessEnv, outcome: Outcome, first?: string): Promise<Command> {
  const program = new Command('kopsctl')
    .description('Creates and runs Kubernetes clusters the kops way.')
    .version(VERSION)
    .exitOverride()
    // Help is for a person, whatever -o says. What cannot be read is printed where all errors are.
    .configureOutput({ writeOut: writeDocument, writeErr, outputError: () => undefined })
    .enablePositionalOptions()
    .configureHelp(HELP)
    .showSuggestionAfterError()
    .addOption(new Option('--state <url>', 'where clusters are kept: file://, s3://, gs:// (env: KOPS_STATE_STORE)'))
    .addOption(new Option('--name <cluster>', 'the cluster (env: KOPS_CLUSTER_NAME)'))
    .addOption(new Option('--why <text>', 'the reason for a change of a spec, kept in its history (env: KOPSCTL_WHY)'))
    .addOption(new Option('--config <file>', 'where to read kops_state_store from (default: ~/.kops.yaml)'))
    .addOption(
      new Option('-v, --v <level>', 'how much is printed: 1 adds every phase and the causes of errors, 2 every task')
        .argParser(parseCount)
        .default(0),
    );
  for (const flag of FORMER_LOG_SWITCHES) program.addOption(new Option(`--${flag}`).hideHelp());
  for (const flag of FORMER_LOG_OPTIONS) program.addOption(new Option(`--${flag} <value>`).hideHelp());

  const run: Declaring['run'] =
    (action) =>
    async (...args) => {
      const global = await globalOptions(program, env);
      refuseOtherNames(global, namesByPosition(args));
      outcome.verbosity = global.verbosity;
      if (global.stateFlag !== undefined) outcome.stateFlag = global.stateFlag;
      await tellVariablesOfKops(env);
      outcome.code = await action(global, ...args);
    };
  const declarations = await Promise.all(declarationsFor(first).map(({ load }) => load()));
  const whole = () => buildProgram(env, outcome);
  for (const declare of declarations) declare({ program, whole, env, run });
  addResultsOption(program);
  return program;
}

/** The clusters that are named by position: commander hands over operands in their order, and the command last. */
function namesByPosition(args: readonly unknown[]): readonly string[] {
  const command = args.at(-1);
  if (!(command instanceof Command)) return [];
  const at = command.registeredArguments.findIndex((argument) => argument.name() === 'cluster');
  return [at < 0 ? [] : args[at]].flat().filter((name) => typeof name === 'string');
}

/** Loaded only where a variable is set that it is about. */
async function tellVariablesOfKops(env: NodeJS.ProcessEnv): Promise<void> {
  if (['KOPS_FEATURE_FLAGS', 'KOPS_RSA_PRIVATE_KEY_SIZE'].every((name) => (env[name] ?? '') === '')) return;
  const { notesOnVariablesOfKops } = await import('./flags/variables-of-kops.ts');
  for (const note of notesOnVariablesOfKops(env)) writeErr(`Note: ${note}.\n`);
}

interface Given {
  readonly state?: string;
  readonly name?: string;
  readonly config?: string;
  readonly why?: string;
  readonly v: number;
}

/** A flag comes before the environment, and both before the file of settings. */
async function globalOptions(program: Command, env: NodeJS.ProcessEnv): Promise<GlobalOptions> {
  const { state: stateFlag, name: nameFlag, config, why: given, v: verbosity } = program.opts<Given>();
  const why = given ?? env['KOPSCTL_WHY'];
  // An empty name is none, as in kops: a script's variable may have no value.
  const name = [nameFlag, env['KOPS_CLUSTER_NAME']].find((one) => one !== undefined && one !== '');
  const known = stateFlag ?? env['KOPS_STATE_STORE'];
  const { readSettings } = await import('./flags/settings-file.ts');
  // A file that is named has to be there, whatever else names the store.
  const settings = known === undefined || config !== undefined ? await readSettings(config, env) : {};
  const state = known ?? settings.state;
  return {
    verbosity,
    ...(state !== undefined && { state }),
    ...(name !== undefined && { name }),
    ...(nameFlag !== undefined && nameFlag !== '' && { nameFlag }),
    ...(why !== undefined && { why }),
    ...(stateFlag !== undefined && { stateFlag }),
  };
}

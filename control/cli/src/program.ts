import { Command, Option } from 'commander';
import { declareApply } from './declare/apply.ts';
import { declareCreate } from './declare/create.ts';
import type { Declare, Declaring } from './declare/declaring.ts';
import { declareDelete } from './declare/delete.ts';
import { declareEdit, declareReplace } from './declare/edit.ts';
import { declareEtcd } from './declare/etcd.ts';
import { declareExport } from './declare/export.ts';
import { declareExplain, declareGet } from './declare/get.ts';
import { declareRollingUpdate } from './declare/rolling-update.ts';
import { declareHistory } from './declare/history.ts';
import { declareKeypair } from './declare/keypair.ts';
import { declareSee } from './declare/see.ts';
import { declareToolbox } from './declare/toolbox.ts';
import { declareUpdate } from './declare/update.ts';
import { declareValidate } from './declare/validate.ts';
import type { GlobalOptions } from './global-options.ts';
import { writeErr, writeOut } from './terminal.ts';
import { VERSION } from './version.ts';

/** Every group of commands, in the order of the help. */
const DECLARATIONS: readonly Declare[] = [
  declareApply,
  declareCreate,
  declareGet,
  declareExplain,
  declareEdit,
  declareReplace,
  declareHistory,
  declareUpdate,
  declareRollingUpdate,
  declareKeypair,
  declareValidate,
  declareSee,
  declareExport,
  declareDelete,
  declareEtcd,
  declareToolbox,
];

/** What running a command leaves behind. */
export interface Outcome {
  code: number;
  /** The state store, where it was given by --state. */
  stateFlag?: string;
}

/**
 * The command tree. Each command's code is imported when it runs; a command prints its results to stdout,
 * its narration to stderr, and leaves its exit code in `outcome`.
 */
export function buildProgram(env: NodeJS.ProcessEnv, outcome: Outcome): Command {
  const program = new Command('kopsctl')
    .description('Creates and runs Kubernetes clusters the kops way.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut, writeErr })
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addOption(new Option('--state <url>', 'where clusters are kept: file://, s3://').env('KOPS_STATE_STORE'))
    .addOption(new Option('--name <cluster>', 'the cluster').env('KOPS_CLUSTER_NAME'))
    .addOption(new Option('--why <text>', 'the reason for a change of a spec, kept in its history').env('KOPSCTL_WHY'));

  const run: Declaring['run'] =
    (action) =>
    async (...args) => {
      const { state, name, why } = program.opts<GlobalOptions>();
      if (state !== undefined && program.getOptionValueSource('state') === 'cli') outcome.stateFlag = state;
      const { stateFlag } = outcome;
      const global: GlobalOptions = {
        ...(state !== undefined && { state }),
        ...(name !== undefined && { name }),
        ...(why !== undefined && { why }),
        ...(stateFlag !== undefined && { stateFlag }),
      };
      outcome.code = await action(global, ...args);
    };
  for (const declare of DECLARATIONS) declare({ program, env, run });
  return program;
}

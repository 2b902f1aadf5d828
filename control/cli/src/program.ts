import { Command, Option } from 'commander';
import { declareAdopt } from './declare/adopt.ts';
import { declareApply } from './declare/apply.ts';
import { declareCreate } from './declare/create.ts';
import type { Declare, Declaring } from './declare/declaring.ts';
import { declareDelete } from './declare/delete.ts';
import { declareEdit, declareReplace } from './declare/edit.ts';
import { declareEtcd } from './declare/etcd.ts';
import { declareExport } from './declare/export.ts';
import { declareExplain, declareGet } from './declare/get.ts';
import { declareHeal } from './declare/heal.ts';
import { declareRollingUpdate } from './declare/rolling-update.ts';
import { declareKeypair } from './declare/keypair.ts';
import { declareToolbox } from './declare/toolbox.ts';
import { declareUpdate } from './declare/update.ts';
import { declareUpgrade } from './declare/upgrade.ts';
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
  declareUpdate,
  declareAdopt,
  declareRollingUpdate,
  declareHeal,
  declareUpgrade,
  declareKeypair,
  declareValidate,
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
    .addOption(new Option('--name <cluster>', 'the cluster').env('KOPS_CLUSTER_NAME'));

  const run: Declaring['run'] =
    (action) =>
    async (...args) => {
      const { state, name } = program.opts<GlobalOptions>();
      if (state !== undefined && program.getOptionValueSource('state') === 'cli') outcome.stateFlag = state;
      const { stateFlag } = outcome;
      const global: GlobalOptions = {
        ...(state !== undefined && { state }),
        ...(name !== undefined && { name }),
        ...(stateFlag !== undefined && { stateFlag }),
      };
      outcome.code = await action(global, ...args);
    };
  for (const declare of DECLARATIONS) declare({ program, env, run });
  return program;
}

import { Command, Option } from 'commander';
import { declareApply } from './declare/apply.ts';
import { declareCreate } from './declare/create.ts';
import type { Declare, Declaring } from './declare/declaring.ts';
import { declareDelete } from './declare/delete.ts';
import { declareEdit, declareReplace } from './declare/edit.ts';
import { declareEtcd } from './declare/etcd.ts';
import { declareExport } from './declare/export.ts';
import { declareExplain, declareGet } from './declare/get.ts';
import { declareToolbox } from './declare/toolbox.ts';
import { declareUpdate } from './declare/update.ts';
import { declareValidate } from './declare/validate.ts';
import { VERSION } from './version.ts';

/** Options every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
}

/** Every group of commands, in the order of the help. */
const DECLARATIONS: readonly Declare[] = [
  declareApply,
  declareCreate,
  declareGet,
  declareExplain,
  declareEdit,
  declareReplace,
  declareUpdate,
  declareValidate,
  declareExport,
  declareDelete,
  declareEtcd,
  declareToolbox,
];

/**
 * The command tree. Each command's code is imported when it runs; a command prints its results to stdout,
 * its narration to stderr, and leaves its exit code in `outcome`.
 */
export function buildProgram(env: NodeJS.ProcessEnv, outcome: { code: number }): Command {
  const program = new Command('kopsctl')
    .description('Creates and runs Kubernetes clusters the kops way.')
    .version(VERSION)
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addOption(new Option('--state <url>', 'where clusters are kept: file://, s3://').env('KOPS_STATE_STORE'))
    .addOption(new Option('--name <cluster>', 'the cluster').env('KOPS_CLUSTER_NAME'));

  const run: Declaring['run'] =
    (action) =>
    async (...args) => {
      outcome.code = await action(program.opts<GlobalOptions>(), ...args);
    };
  for (const declare of DECLARATIONS) declare({ program, env, run });
  return program;
}

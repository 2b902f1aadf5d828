import { Option } from 'commander';
import type { VersionOptions } from '../commands/version.ts';
import type { Declare } from './declaring.ts';

/** `version`. */
export const declareVersion: Declare = ({ program, env, run }) => {
  program
    .command('version')
    .description('print the version of kopsctl, and with --server also of the one that last applied the cluster')
    .option('--short', 'print only the number')
    .option('--server', 'also the version that applied the cluster last, as the state store has it')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'yaml', 'json']).default('text'))
    .action(
      run(async (global, options: VersionOptions) => {
        const { version } = await import('../commands/version.ts');
        return version(global, options, env);
      }),
    );
};

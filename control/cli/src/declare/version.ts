import { Option } from 'commander';
import type { VersionOptions } from '../commands/version.ts';
import type { Declare } from './declaring.ts';

/** `version`. */
export const declareVersion: Declare = ({ program, env, run }) => {
  program
    .command('version')
    .description('print the version of kopsctl, and with --server of the one that applied the cluster last')
    .option('--short', 'the number alone')
    .option('--server', 'also the version that applied the cluster last, as the state store has it')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'yaml', 'json']).default('text'))
    .action(
      run(async (global, options: VersionOptions) => {
        const { version } = await import('../commands/version.ts');
        return version(global, options, env);
      }),
    );
};

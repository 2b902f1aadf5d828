import { Option } from 'commander';
import type { AdoptOptions } from '../commands/adopt.ts';
import { assetsOption, type Declare } from './declaring.ts';

/** `adopt`: taking over a cluster that kops made. */
export const declareAdopt: Declare = ({ program, env, run }) => {
  program
    .command('adopt [cluster]')
    .description('take over a cluster that kops made: shows what changes and why; its machines are replaced afterwards')
    .option('--yes', 'take it over; otherwise nothing is changed')
    .addOption(
      new Option('-o, --output <format>', 'how to print what changes').choices(['text', 'json']).default('text'),
    )
    .addOption(assetsOption())
    .action(
      run(async (global, cluster: string | undefined, options: AdoptOptions) => {
        const { adopt } = await import('../commands/adopt.ts');
        return adopt(global, cluster, options, env);
      }),
    );
};

import { Option } from 'commander';
import type { AdoptOptions } from '../commands/adopt.ts';
import type { GiveBackOptions } from '../commands/give-back.ts';
import { assetsOption, type Declare } from './declaring.ts';

/** `adopt` and `give-back`: taking over a cluster that kops made, and the way back. */
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
  program
    .command('give-back [cluster]')
    .description('give a cluster that was taken over back to kops: shows what changes, and what kops has to do')
    .option('--yes', 'give it back; otherwise nothing is changed')
    .addOption(
      new Option('-o, --output <format>', 'how to print what changes').choices(['text', 'json']).default('text'),
    )
    .addOption(assetsOption())
    .action(
      run(async (global, cluster: string | undefined, options: GiveBackOptions) => {
        const { giveBack } = await import('../commands/give-back.ts');
        return giveBack(global, cluster, options, env);
      }),
    );
};

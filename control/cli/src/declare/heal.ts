import { Option } from 'commander';
import type { HealOptions } from '../commands/heal.ts';
import { assetsOption, type Declare } from './declaring.ts';

/** `heal`: replaces machines that stay NotReady. */
export const declareHeal: Declare = ({ program, env, run }) => {
  program
    .command('heal [cluster]')
    .description(
      'show which machine has been not Ready for too long (annotation kopsctl.io/replace-unready); with --yes, replace it',
    )
    .option('-y, --yes', 'replace it; otherwise it is only shown')
    .option('--watch', 'keep checking until stopped or until a replacement fails')
    .option('--interval <duration>', 'with --watch: the time between two checks', '1m')
    .addOption(
      new Option('-o, --output <format>', 'json: each check as a line of JSON')
        .choices(['table', 'json'])
        .default('table'),
    )
    .addOption(assetsOption())
    .action(
      run(async (global, name: string | undefined, options: HealOptions) => {
        const { heal } = await import('../commands/heal.ts');
        return heal(global, name, options, env);
      }),
    );
};

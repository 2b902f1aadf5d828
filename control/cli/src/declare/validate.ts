import { Option } from 'commander';
import { group, type Declare } from './declaring.ts';

/** `validate cluster`. */
export const declareValidate: Declare = ({ program, env, run }) => {
  group(program, 'validate', 'check a running cluster')
    .command('cluster [name]')
    .description('say what is wrong with a running cluster; exit 2 where something is')
    .option('--wait <duration>', 'wait that long until it is valid, e.g. 10m')
    .addOption(new Option('-o, --output <format>').choices(['table', 'json']).default('table'))
    .action(
      run(async (global, name: string | undefined, options) => {
        const { validate } = await import('../commands/validate.ts');
        return validate(global, name, options as Parameters<typeof validate>[2], env);
      }),
    );
};

import type { ValidateOptions } from '../commands/validate.ts';
import { apiServerOption, countOption, group, outputOption, type Declare } from './declaring.ts';

/** `validate cluster`. */
export const declareValidate: Declare = ({ program, env, run }) => {
  group(program, 'validate', 'check a running cluster')
    .command('cluster [cluster]')
    .description('say what is wrong with a running cluster; exit 2 if something is')
    .option('--wait <duration>', 'how long to wait until it is valid, e.g. 10m')
    .addOption(countOption('--count <number>', 'with --wait: how many validations in a row must succeed').default(1))
    .option('--interval <duration>', 'the minimum time between two checks, e.g. 10s', '0s')
    .addOption(
      countOption('--max-unready-nodes <number>', 'how many worker Nodes may be missing or not Ready').default(0),
    )
    .addOption(apiServerOption())
    .option('--kubeconfig <file>', 'ask the server that this kubeconfig names for the cluster')
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .addOption(outputOption())
    .action(
      run(async (global, name: string | undefined, options: ValidateOptions) => {
        const { validate } = await import('../commands/validate.ts');
        return validate(global, name, options, env);
      }),
    );
};

import { Option } from 'commander';
import { assetsOption, type Declare } from './declaring.ts';

const planFormat = () =>
  new Option('-o, --output <format>', 'how to print the plan').choices(['text', 'json']).default('text');

/** `apply` and `plan`. */
export const declareApply: Declare = ({ program, env, run }) => {
  program
    .command('apply [plan]')
    .description('write the spec and make it true: shows the plan, applies it with --yes; a saved plan as it was saved')
    .option('-f, --filename <file...>', 'Cluster and InstanceGroup objects; without it, what the store holds')
    .option('--yes', 'apply; otherwise the plan is shown and nothing is changed')
    .option('--prune', 'also remove what is no longer wanted')
    .option('--wait <duration>', 'after applying, wait until the cluster is valid, e.g. 10m', '10m')
    .option('--no-wait', 'do not wait for the machines')
    .option('--exit-code', 'without --yes: exit 2 when changes are pending')
    .addOption(planFormat())
    .addOption(assetsOption())
    .action(
      run(async (global, plan: string | undefined, options) => {
        const { apply } = await import('../commands/apply.ts');
        return apply(global, plan, options as Parameters<typeof apply>[2], env);
      }),
    );

  program
    .command('plan')
    .description('show what apply would do; changes nothing')
    .option('-f, --filename <file...>', 'Cluster and InstanceGroup objects; without it, what the store holds')
    .option('--prune', 'also plan to remove what is no longer wanted')
    .option('--out <file>', 'save the plan: `apply FILE` does exactly that, or refuses')
    .option('--exit-code', 'exit 2 when changes are pending')
    .addOption(planFormat())
    .addOption(assetsOption())
    .action(
      run(async (global, options) => {
        const { apply } = await import('../commands/apply.ts');
        return apply(global, undefined, { ...(options as Parameters<typeof apply>[2]), yes: false }, env);
      }),
    );
};

import { Option } from 'commander';
import type { ApplyOptions } from '../commands/apply.ts';
import type { PlanOptions } from '../commands/plan.ts';
import { ofCluster } from '../flags/global-options.ts';
import { assetsOption, type Declare, filesOption } from './declaring.ts';

const planFormat = () =>
  new Option('-o, --output <format>', 'how to print the plan').choices(['text', 'json', 'yaml']).default('text');

const IGNORES_SKEW = 'accept another minor version of Kubernetes, whatever machines run now';

/** `apply` and `plan`. */
export const declareApply: Declare = ({ program, env, run }) => {
  program
    .command('apply [plan]')
    .description(
      'show what a spec would change; with --yes, store and apply it; a saved plan is applied at once, as it was saved',
    )
    .addOption(filesOption('Cluster and InstanceGroup objects; without it, what the store holds'))
    .option('-y, --yes', 'apply; otherwise the plan is shown and nothing is changed; a saved plan needs no --yes')
    .option('--prune', 'also remove what is no longer wanted')
    .option('--wait <duration>', 'after applying, wait until the cluster is valid, e.g. 10m', '10m')
    .option('--no-wait', 'do not wait for the machines')
    .option('--exit-code', 'without --yes: exit 2 when changes are pending')
    .option('--ignore-kubelet-version-skew', IGNORES_SKEW)
    .addOption(planFormat())
    .addOption(assetsOption())
    .action(
      run(
        async (global, plan: string | undefined, options: ApplyOptions & PlanOptions & { readonly yes?: boolean }) => {
          if (plan === undefined && options.yes !== true) {
            const { plan: show } = await import('../commands/plan.ts');
            return show(global, options, env);
          }
          const { apply } = await import('../commands/apply.ts');
          return apply(global, plan, options, env);
        },
      ),
    );

  program
    .command('plan [cluster]')
    .description('show what apply would do; changes nothing')
    .addOption(filesOption('Cluster and InstanceGroup objects; without it, what the store holds'))
    .option('--prune', 'also plan to remove what is no longer wanted')
    .option('--out <file>', 'save the plan; `apply FILE` applies exactly that plan, or refuses')
    .option('--exit-code', 'exit 2 when changes are pending')
    .option('--ignore-kubelet-version-skew', IGNORES_SKEW)
    .addOption(planFormat())
    .addOption(assetsOption())
    .action(
      run(async (global, cluster: string | undefined, options: PlanOptions) => {
        const { plan } = await import('../commands/plan.ts');
        return plan(ofCluster(global, cluster), options, env);
      }),
    );
};

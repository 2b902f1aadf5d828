import type { Command } from 'commander';
import type { ReconcileOptions } from '../commands/reconcile.ts';
import type { UpgradeOptions } from '../commands/upgrade.ts';
import {
  apiServerOption,
  assetsOption,
  budgetOption,
  type Declare,
  drainTimeoutOption,
  group,
  validationTimeoutOption,
} from './declaring.ts';

/** How machines are replaced meanwhile, as `rolling-update cluster` has it. */
const withManner = (command: Command): Command =>
  command
    .option('-y, --yes', 'do it; otherwise it is only shown')
    .addOption(budgetOption())
    .addOption(drainTimeoutOption())
    .addOption(validationTimeoutOption())
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .addOption(assetsOption());

/** `upgrade cluster` and `reconcile cluster`: an update and rolling updates as one piece of work. */
export const declareUpgrade: Declare = ({ program, env, run }) => {
  withManner(
    group(program, 'upgrade', 'go to a newer version of Kubernetes')
      .command('cluster [cluster]')
      .description(
        'bring a cluster to a newer Kubernetes, one minor version at a time; resumes where it was interrupted',
      )
      .option('--kubernetes-version <version>', 'the version to go to (default: what the channel recommends)')
      .option('--channel <channel>', 'a channel for the cluster from now on: a name, a URL or a file'),
  ).action(
    run(async (global, name: string | undefined, options: UpgradeOptions) => {
      const { upgrade } = await import('../commands/upgrade.ts');
      return upgrade(global, name, options, env);
    }),
  );
  withManner(
    group(program, 'reconcile', 'make a cluster match its spec')
      .command('cluster [cluster]')
      .description('update and roll control planes, then all else, and prune; resumes where it was interrupted')
      .option('--allow-kops-downgrade', 'reconcile a cluster that a newer kopsctl applied'),
  ).action(
    run(async (global, name: string | undefined, options: ReconcileOptions) => {
      const { reconcile } = await import('../commands/reconcile.ts');
      return reconcile(global, name, options, env);
    }),
  );
};

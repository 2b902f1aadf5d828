import { Option } from 'commander';
import { ROLL_DEFAULTS } from '../flags/roll-defaults.ts';
import type { RollFlags } from '../flags/roll-flags.ts';
import {
  adminOption,
  alsoSpelled,
  apiServerOption,
  assetsOption,
  budgetOption,
  type Declare,
  drainTimeoutOption,
  formerly,
  group,
  listOption,
  switchOptions,
  validationTimeoutOption,
} from './declaring.ts';

/** `rolling-update`: replaces outdated machines. */
export const declareRollingUpdate: Declare = ({ program, env, run }) => {
  const rolling = group(program, 'rolling-update', 'replace outdated machines, a few at a time').alias('ru');
  const cluster = rolling
    .command('cluster [cluster]')
    .description(
      'show which machines are outdated and why; with --yes, replace them, or resume where that was interrupted',
    )
    .option('-y, --yes', 'replace them; otherwise they are only shown')
    .option('--force', 'replace all machines, not only outdated ones')
    .option('--cloudonly', 'do not use the Kubernetes API: nothing is drained, and nothing validated')
    .option('--in-place', 'change machines in place where that brings them to their plan; replace only the others')
    .option('-i, --interactive', 'ask before each machine')
    .addOption(budgetOption())
    .addOption(drainTimeoutOption())
    .option(
      '--post-drain-delay <duration>',
      'the pause between draining a machine and deleting it',
      ROLL_DEFAULTS.pause,
    )
    .addOption(validationTimeoutOption())
    .option('--validate-count <count>', 'how many validations in a row must succeed', ROLL_DEFAULTS.validateCount)
    .option(
      '--bastion-interval <duration>',
      'the pause between the deletion of a bastion and the first check',
      ROLL_DEFAULTS.pause,
    )
    .option('--node-interval <duration>', 'the same for a node', ROLL_DEFAULTS.pause)
    .addOption(
      new Option('-o, --output <format>', 'json: each event as a line of JSON')
        .choices(['table', 'json'])
        .default('table'),
    )
    .addOption(adminOption('how long the certificate with which the API is asked is valid'))
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .addOption(assetsOption());
  const groups = listOption('--instance-group <names>', 'only machines of these groups');
  for (const option of alsoSpelled(groups, 'ig', 'instance-groups')) cluster.addOption(option);
  const roles = listOption('--instance-group-roles <roles>', 'only machines of these roles');
  for (const option of alsoSpelled(roles, 'role', 'roles', 'instance-group-role')) cluster.addOption(option);
  const interval = new Option('--control-plane-interval <duration>', 'the same for a control plane');
  for (const option of formerly(interval, 'master-interval')) cluster.addOption(option);
  const onDrain = 'a machine that cannot be drained stops its group';
  const onValidate = 'a cluster that does not become valid ends the rolling update';
  for (const option of switchOptions('fail-on-drain-error', onDrain)) cluster.addOption(option);
  for (const option of switchOptions('fail-on-validate-error', onValidate)) cluster.addOption(option);
  cluster.action(
    run(async (global, name: string | undefined, options: RollFlags) => {
      const { rollingUpdate } = await import('../commands/rolling-update.ts');
      return rollingUpdate(global, name, options, env);
    }),
  );
  rolling
    .command('status [cluster]')
    .description('show how far the latest rolling update is, and which process runs it')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['table', 'json']).default('table'))
    .action(
      run(async (global, name: string | undefined, options: { readonly output: 'table' | 'json' }) => {
        const { status } = await import('../commands/control-rolling-update.ts');
        return status(global, name, options, env);
      }),
    );
  rolling
    .command('pause [cluster]')
    .description('pause after the machines that are under way')
    .action(
      run(async (global, name: string | undefined) => {
        const { pause } = await import('../commands/control-rolling-update.ts');
        return pause(global, name, env);
      }),
    );
  rolling
    .command('resume [cluster]')
    .description('resume a rolling update that was paused, stopped or interrupted')
    .addOption(assetsOption())
    .action(
      run(async (global, name: string | undefined, options: { readonly assets?: string }) => {
        const { resume } = await import('../commands/control-rolling-update.ts');
        return resume(global, name, options, env);
      }),
    );
  rolling
    .command('abort [cluster]')
    .description('put back what can be put back, and end the rolling update')
    .addOption(assetsOption())
    .action(
      run(async (global, name: string | undefined, options: { readonly assets?: string }) => {
        const { abort } = await import('../commands/control-rolling-update.ts');
        return abort(global, name, options, env);
      }),
    );
};

import { Option } from 'commander';
import { LIFECYCLES } from '@kopsctl/actions/cloud/lifecycle.ts';
import { PHASES } from '@kopsctl/model/lifecycle.ts';
import type { UpdateOptions } from '../commands/update-cluster.ts';
import {
  adminOption,
  apiServerOption,
  assetsOption,
  type Declare,
  group,
  listOption,
  switchOptions,
} from './declaring.ts';

/** `update cluster`: how kops applies a cluster. */
export const declareUpdate: Declare = ({ program, env, run }) => {
  const command = group(program, 'update', 'apply what the state store holds')
    .command('cluster [cluster]')
    .description('apply a stored cluster: directly, or as files for another tool')
    .addOption(
      new Option('--target <target>', 'direct: shows the plan, and applies it with --yes; dryrun: shows it')
        .choices(['direct', 'dryrun', 'terraform', 'cloudformation'])
        .default('direct'),
    )
    .option('--out <dir>', 'where files for another tool are written (default: out/<target>)')
    .option(
      '--offline',
      'with another tool: open no connection to a cloud; what only the cloud can tell is assumed, and named',
    )
    .option('-y, --yes', 'apply; otherwise the plan is shown and nothing is changed')
    .option('--prune', 'also remove what is no longer wanted')
    .addOption(new Option('--phase <phase>', 'make only this part; what comes before it must be there').choices(PHASES))
    .addOption(
      listOption(
        '--lifecycle-overrides <kind=lifecycle>',
        `do less than everything with a kind: ${LIFECYCLES.join(', ')}`,
      ),
    )
    .option('--max-task-duration <duration>', 'how long one task is tried (default: 10m, longer for what takes longer)')
    .addOption(listOption('--instance-group <names>', 'only machines of these groups, and what all machines share'))
    .addOption(
      listOption('--instance-group-roles <roles>', 'only machines of these roles, and what all machines share'),
    )
    .option('--ignore-kubelet-version-skew', 'apply another minor version of Kubernetes, whatever machines run now')
    .option('--exit-code', 'without --yes: exit 2 when changes are pending')
    .addOption(
      new Option('-o, --output <format>', 'how to print the plan').choices(['text', 'json', 'yaml']).default('text'),
    )
    .addOption(assetsOption())
    .addOption(adminOption('how long the certificate of the administrator in the kubeconfig is valid'))
    .addOption(apiServerOption())
    // kops asks the API server that a kubeconfig names which versions machines run; here their cloud says where it is.
    .addOption(new Option('--use-kubeconfig').hideHelp())
    .option('--internal', "let the kubeconfig use the cluster's internal DNS name")
    .option('--user <name>', 'let the kubeconfig use a user that it has already, instead of an administrator')
    .option('--allow-kops-downgrade', 'apply a cluster that a newer kopsctl applied')
    .addOption(
      new Option('--ssh-public-key <file>', 'store this key, which may log in to the machines, first').hideHelp(),
    );
  for (const option of switchOptions(
    'create-kube-config',
    'with --yes: write the cluster into the kubeconfig (default)',
  )) {
    command.addOption(option);
  }
  command.action(
    run(async (global, cluster: string | undefined, options: UpdateOptions) => {
      const { update } = await import('../commands/update-cluster.ts');
      return update(global, cluster, options, env);
    }),
  );
};

import { Option } from 'commander';
import type { ExportKubeconfigOptions } from '../commands/export-kubeconfig.ts';
import type { KubectlAuthOptions } from '../commands/kubectl-auth.ts';
import { adminOption, apiServerOption, group, type Declare } from './declaring.ts';

/** `export kubeconfig`, and what kubectl runs where that was asked for. */
export const declareExport: Declare = ({ program, env, run }) => {
  group(program, 'export', 'write access data')
    .command('kubeconfig [cluster]')
    .alias('kubecfg')
    .description('write the access to a cluster into the kubeconfig: as an administrator unless told otherwise')
    .addOption(adminOption('how long the certificate of the administrator is valid'))
    .option('--all', 'every cluster of the state store')
    .addOption(apiServerOption())
    .option('--auth-plugin', 'have kubectl ask kopsctl for a one-hour certificate whenever it needs one')
    .option('--internal', "use the cluster's internal DNS name")
    .option('--kubeconfig <file>', 'the file to write, instead of that of kubectl')
    .option('--user <name>', 'a user that the kubeconfig has already, instead of an administrator')
    .action(
      run(async (global, name: string | undefined, options: ExportKubeconfigOptions) => {
        const { exportKubeconfig } = await import('../commands/export-kubeconfig.ts');
        return exportKubeconfig(global, name, options, env);
      }),
    );

  // Hidden: only kubectl runs it.
  const helpers = program.command('helpers', { hidden: true }).description('what other programs ask of kopsctl');
  helpers
    .command('kubectl-auth')
    .description('print credentials for kubectl, which runs this where `export kubeconfig --auth-plugin` said so')
    .option('--cluster <name>', 'the cluster, as kops names it here')
    .addOption(new Option('--api-version <version>', 'of the answer').choices(['v1', 'v1beta1']).default('v1'))
    .action(
      run(async (global, options: KubectlAuthOptions) => {
        const { kubectlAuth } = await import('../commands/kubectl-auth.ts');
        return kubectlAuth(global, options, env);
      }),
    );
};

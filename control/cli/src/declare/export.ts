import { group, type Declare } from './declaring.ts';

/** `export kubeconfig`. */
export const declareExport: Declare = ({ program, env, run }) => {
  group(program, 'export', 'write access data')
    .command('kubeconfig [name]')
    .alias('kubecfg')
    .description('write access as an administrator into the kubeconfig')
    .option('--admin <duration>', 'how long the certificate is valid', '18h')
    .action(
      run(async (global, name: string | undefined, options: { admin: string }) => {
        const { exportKubeconfig } = await import('../commands/export-kubeconfig.ts');
        return exportKubeconfig(global, name, options, env);
      }),
    );
};

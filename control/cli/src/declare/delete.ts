import { group, type Declare } from './declaring.ts';

/** `delete cluster`. */
export const declareDelete: Declare = ({ program, env, run }) => {
  group(program, 'delete', 'remove what kopsctl made')
    .command('cluster [name]')
    .option('--yes', 'do it; otherwise it is only shown')
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean }) => {
        const { deleteCluster } = await import('../commands/delete-cluster.ts');
        return deleteCluster(global, name, options, env);
      }),
    );
};

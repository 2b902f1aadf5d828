import { group, type Declare } from './declaring.ts';

const YES = 'do it; otherwise it is only shown';

/** `delete -f` and the commands below `delete`. */
export const declareDelete: Declare = ({ program, env, run }) => {
  const remove = group(program, 'delete', 'remove what kopsctl made')
    .option('-f, --filename <file...>', 'delete the objects of files; - is standard input')
    .option('--yes', YES)
    .action(
      run(async (global, options: { filename?: readonly string[]; yes?: boolean }) => {
        const { deleteFromFiles } = await import('../commands/delete-objects.ts');
        return deleteFromFiles(global, options, env);
      }),
    );
  remove
    .command('cluster [name]')
    .description('delete all that a cluster has in its cloud, then its state')
    .option('--yes', YES)
    .option('--unregister', 'leave the cloud alone, and delete the state only')
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean; unregister?: boolean }) => {
        const { deleteCluster } = await import('../commands/delete-cluster.ts');
        return deleteCluster(global, name, options, env);
      }),
    );
  remove
    .command('instancegroup <name>')
    .aliases(['instancegroups', 'ig'])
    .description('take a group of machines out of the spec')
    .option('--yes', YES)
    .action(
      run(async (global, name: string, options: { yes?: boolean }) => {
        const { deleteGroup } = await import('../commands/delete-instance-group.ts');
        return deleteGroup(global, name, options, env);
      }),
    );
  remove
    .command('secret <name>')
    .description('delete a secret of the cluster')
    .option('--yes', YES)
    .action(
      run(async (global, name: string, options: { yes?: boolean }) => {
        const { deleteSecret } = await import('../commands/secret.ts');
        return deleteSecret(global, name, options, env);
      }),
    );
  remove
    .command('sshpublickey [cluster]')
    .description('delete all keys that may log in to the machines')
    .option('--yes', YES)
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean }) => {
        const { deleteSshPublicKeys } = await import('../commands/ssh-public-key.ts');
        return deleteSshPublicKeys(global, name, options, env);
      }),
    );
};

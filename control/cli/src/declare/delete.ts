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
        return deleteFromFiles(global, { ...options, filename: options.filename ?? [] }, env);
      }),
    );
  remove
    .command('cluster [name]')
    .option('--yes', YES)
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean }) => {
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
        const { deleteGroup } = await import('../commands/delete-objects.ts');
        return deleteGroup(global, name, options);
      }),
    );
  remove
    .command('secret <name>')
    .option('--yes', YES)
    .action(
      run(async (global, name: string, options: { yes?: boolean }) => {
        const { removeSecret } = await import('../commands/secret.ts');
        return removeSecret(global, name, options);
      }),
    );
  remove
    .command('sshpublickey [cluster]')
    .description('nobody may log in to machines any more')
    .option('--yes', YES)
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean }) => {
        const { deleteSshPublicKeys } = await import('../commands/ssh-public-key.ts');
        return deleteSshPublicKeys(global, name, options);
      }),
    );
};

import { declareCreateCluster } from './create-cluster.ts';
import { group, type Declare } from './declaring.ts';

/** `create -f` and the commands below `create`. */
export const declareCreate: Declare = (declaring) => {
  const { program, run } = declaring;
  const create = group(program, 'create', 'create objects')
    .option('-f, --filename <file...>', 'objects to store; - is standard input')
    .action(
      run(async (global, options: { filename?: readonly string[] }) => {
        const { createFromFiles } = await import('../commands/create.ts');
        return createFromFiles(global, options.filename ?? []);
      }),
    );
  declareCreateCluster(declaring);
  create
    .command('sshpublickey [cluster]')
    .description('store who may log in to machines')
    .requiredOption('-i, --ssh-public-key <file>', 'e.g. ~/.ssh/id_ed25519.pub')
    .action(
      run(async (global, name: string | undefined, options: { sshPublicKey: string }) => {
        const { createSshPublicKey } = await import('../commands/ssh-public-key.ts');
        return createSshPublicKey(global, name, options);
      }),
    );
};

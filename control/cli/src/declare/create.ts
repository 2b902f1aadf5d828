import { Option } from 'commander';
import type { CreateGroupOptions } from '../commands/create-instance-group.ts';
import { nameAfterFormer } from '../flags/former-words.ts';
import { ofCluster } from '../flags/global-options.ts';
import { declareCreateCluster } from './create-cluster.ts';
import { group, listOption, switchOptions, type Declare, filesOption } from './declaring.ts';

/** `create -f` and the commands below `create`. */
export const declareCreate: Declare = (declaring) => {
  const { program, env, run } = declaring;
  const create = group(program, 'create', 'create objects')
    .addOption(filesOption('objects to store; - is standard input'))
    .action(
      run(async (global, options: { filename?: readonly string[] }) => {
        const { createFromFiles } = await import('../commands/create.ts');
        return createFromFiles(global, options.filename ?? [], env);
      }),
    );
  declareCreateCluster(declaring);

  const instanceGroup = create
    .command('instancegroup <name>')
    .aliases(['instancegroups', 'ig'])
    .description('infer a group of machines, store it, and open it in your editor')
    .option('--role <role>', 'what its machines are: node, control-plane, apiserver or bastion', 'node')
    .addOption(listOption('--subnet <names>', 'subnets of the cluster; without it, all that suit the role'))
    .addOption(listOption('--zone <zones>', 'zones of its machines, where a subnet is in several, as on GCE'))
    .option('--dry-run', 'print the object, store nothing')
    .addOption(new Option('-o, --output <format>', 'how --dry-run prints').choices(['yaml', 'json']).default('yaml'))
    .action(
      run(async (global, name: string, options: CreateGroupOptions) => {
        const { createInstanceGroup } = await import('../commands/create-instance-group.ts');
        return createInstanceGroup(global, name, options, env);
      }),
    );
  for (const option of switchOptions('edit', 'open it in your editor (default: in a terminal)')) {
    instanceGroup.addOption(option);
  }

  create
    .command('sshpublickey [cluster]')
    .description('store a public key that may log in to the machines')
    .requiredOption('-i, --ssh-public-key <file>', 'e.g. ~/.ssh/id_ed25519.pub')
    .action(
      run(async (global, name: string | undefined, options: { sshPublicKey: string }) => {
        const { createSshPublicKey } = await import('../commands/ssh-public-key.ts');
        return createSshPublicKey(global, name, options, env);
      }),
    );

  const secret = group(create, 'secret', 'store a secret of the cluster');
  secret
    .command('sshpublickey [words...]', { hidden: true })
    .description('the former name of create sshpublickey; the only user, admin, may come before the cluster')
    .requiredOption('-i, --ssh-public-key <file>')
    .action(
      run(async (global, words: readonly string[], options: { sshPublicKey: string }) => {
        const { createSshPublicKey } = await import('../commands/ssh-public-key.ts');
        return createSshPublicKey(global, nameAfterFormer('admin', words, 'cluster'), options, env);
      }),
    );
  for (const kind of [
    'ciliumpassword',
    'dns-update-key',
    'dockerconfig',
    'encryptionconfig',
    'etcd-backup-key',
  ] as const) {
    secret
      .command(`${kind} [cluster]`)
      .description(`store the secret ${kind}`)
      .requiredOption('-f, --filename <file>', 'the file with the secret; - is standard input')
      .option('--force', 'replace an existing secret')
      .action(
        run(async (global, cluster: string | undefined, options: { filename: string; force?: boolean }) => {
          const { createSecret } = await import('../commands/secret.ts');
          return createSecret(ofCluster(global, cluster), kind, options, env);
        }),
      );
  }
};

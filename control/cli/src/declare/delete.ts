import { Option } from 'commander';
import type { DeleteClusterOptions } from '../commands/delete-cluster.ts';
import type { DeleteInstanceOptions } from '../commands/delete-instance.ts';
import { nameAfterFormer } from '../flags/former-words.ts';
import { ROLL_DEFAULTS } from '../flags/roll-defaults.ts';
import { apiServerOption, countOption, group, switchOptions, type Declare, filesOption } from './declaring.ts';

const YES = 'do it; otherwise it is only shown';

/** `delete -f` and the commands below `delete`. */
export const declareDelete: Declare = ({ program, env, run }) => {
  const remove = group(program, 'delete', 'remove what kopsctl made')
    .addOption(filesOption('delete the objects of files; - is standard input'))
    .option('-y, --yes', YES)
    .action(
      run(async (global, options: { filename?: readonly string[]; yes?: boolean }) => {
        const { deleteFromFiles } = await import('../commands/delete-objects.ts');
        return deleteFromFiles(global, options, env);
      }),
    );
  remove
    .command('cluster [cluster]')
    .description('delete all that a cluster has in its cloud, then its state')
    .option('-y, --yes', YES)
    .option('--unregister', 'leave the cloud alone, and delete the state only')
    .option(
      '--external',
      'delete a cluster that no state store holds, by what its cloud knows about it; needs --region',
    )
    .option('--region <region>', 'the region of a cluster that no state store holds')
    .option('--wait <duration>', 'how long to try again where something could not be deleted, e.g. 10m', '0s')
    .addOption(
      countOption('--count <number>', 'give up after this many tries in a row that deleted nothing').default(42),
    )
    .option('--interval <duration>', 'the minimum time between two tries', '10s')
    .action(
      run(async (global, name: string | undefined, options: DeleteClusterOptions) => {
        const { deleteCluster } = await import('../commands/delete-cluster.ts');
        return deleteCluster(global, name, options, env);
      }),
    );
  remove
    .command('instancegroup <name>')
    .aliases(['instancegroups', 'ig'])
    .description('take a group of machines out of the spec')
    .option('-y, --yes', YES)
    .action(
      run(async (global, name: string, options: { yes?: boolean }) => {
        const { deleteGroup } = await import('../commands/delete-instance-group.ts');
        return deleteGroup(global, name, options, env);
      }),
    );
  const instance = remove
    .command('instance <instance>')
    .description('drain a machine and delete it, by its id in the cloud or the name of its Node')
    .option('-y, --yes', YES)
    .option('--cloudonly', 'do not contact the API server: no drain, no validation')
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .option('--drain-timeout <duration>', 'how long pods have to leave', ROLL_DEFAULTS.drainTimeout)
    .option('--post-drain-delay <duration>', 'a pause after draining', ROLL_DEFAULTS.pause)
    .option(
      '--validation-timeout <duration>',
      'how long the cluster has to become valid again',
      ROLL_DEFAULTS.validationTimeout,
    )
    .addOption(
      countOption('--validate-count <number>', 'how many validations in a row must succeed').default(
        Number(ROLL_DEFAULTS.validateCount),
      ),
    )
    .action(
      run(async (global, id: string, options: DeleteInstanceOptions) => {
        const { deleteInstance } = await import('../commands/delete-instance.ts');
        return deleteInstance(global, id, options, env);
      }),
    );
  for (const [flag, description] of [
    ['surge', 'where cloud groups make machines, start the replacement before the machine goes (default)'],
    ['fail-on-drain-error', 'stop where draining fails (default)'],
    ['fail-on-validate-error', 'fail where the cluster does not become valid (default)'],
  ] as const) {
    for (const option of switchOptions(flag, description)) instance.addOption(option);
  }
  remove
    .command('secret <name...>')
    .usage('[options] <name>')
    .alias('secrets')
    .description('delete a secret of the cluster; as in kops, at once')
    .addOption(new Option('-y, --yes').hideHelp())
    .action(
      run(async (global, words: readonly string[]) => {
        const { deleteSecret } = await import('../commands/secret.ts');
        return deleteSecret(global, nameAfterFormer('secret', words, 'secret'), env);
      }),
    );
  remove
    .command('sshpublickey [cluster]')
    .alias('sshpublickeys')
    .description('delete all keys that may log in to the machines; as in kops, at once')
    .addOption(new Option('-y, --yes').hideHelp())
    .action(
      run(async (global, name: string | undefined) => {
        const { deleteSshPublicKeys } = await import('../commands/ssh-public-key.ts');
        return deleteSshPublicKeys(global, name, env);
      }),
    );
};

import { type Command, Option } from 'commander';
import type { GetAssetsOptions } from '../commands/get-assets.ts';
import type { GetInstancesOptions } from '../commands/get-instances.ts';
import type { GetKeypairsOptions } from '../commands/get-keypairs.ts';
import type { GetNodesOptions } from '../commands/get-nodes.ts';
import type { GetSecretsOptions } from '../commands/get-secrets.ts';
import type { GetOptions } from '../commands/get.ts';
import { ofCluster } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { apiServerOption, apiVersionOption, group, outputOption, type Declare, wideOutputOption } from './declaring.ts';

const withOutput = (command: Command): Command =>
  command
    .option('--full', 'the completed spec, with every inferred value')
    .addOption(outputOption())
    .addOption(apiVersionOption());

/** `get`: alone it shows all of a cluster. The order of its commands is that of `get --help`. */
export const declareGet: Declare = (declaring) => {
  const get = group(declaring.program, 'get', 'show objects').argument('[cluster]');
  declareSpecs(get, declaring);
  declareMachines(get, declaring);
  declareContents(get, declaring);
  declareNodePlans(get, declaring);
  declareAccess(get, declaring);
};

type DeclareBelow = (get: Command, declaring: Parameters<Declare>[0]) => void;

/** What people write. */
const declareSpecs: DeclareBelow = (get, { env, run }) => {
  const all = run(async (global, cluster: string | undefined, options: GetOptions) => {
    const { getAll } = await import('../commands/get.ts');
    return getAll(ofCluster(global, cluster), options, env);
  });
  withOutput(get).action(all);
  withOutput(get.command('all [cluster]').alias('everything'))
    .description('the Cluster and its instance groups')
    .action(all);
  withOutput(
    get.command('clusters [cluster...]').alias('cluster').description('the clusters of the state store'),
  ).action(
    run(async (global, names: readonly string[], options: GetOptions) => {
      const { getClusters } = await import('../commands/get.ts');
      return getClusters(global, names, options, env);
    }),
  );
  withOutput(
    get
      .command('instancegroups [names...]')
      .aliases(['instancegroup', 'ig'])
      .description('the instance groups of a cluster'),
  ).action(
    run(async (global, names: readonly string[], options: GetOptions) => {
      const { getInstanceGroups } = await import('../commands/get.ts');
      return getInstanceGroups(global, names, options, env);
    }),
  );
};

/** What runs. */
const declareMachines: DeclareBelow = (get, { env, run }) => {
  get
    .command('machines [cluster]')
    .alias('machine')
    .description('the machines that a cluster has in its cloud')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: OutputOptions) => {
        const { getMachines } = await import('../commands/get-machines.ts');
        return getMachines(ofCluster(global, cluster), options, env);
      }),
    );
  get
    .command('instances [cluster]')
    .alias('instance')
    .description('the machines that a cluster has in its cloud, and which of them are outdated, as kops shows them')
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: GetInstancesOptions) => {
        const { getInstances } = await import('../commands/get-instances.ts');
        return getInstances(ofCluster(global, cluster), options, env);
      }),
    );
  get
    .command('nodes [cluster]')
    .alias('node')
    .description('every machine: its Node, how it booted, how it finds the others, volumes, addons, and what is wrong')
    .addOption(wideOutputOption())
    .action(
      run(async (global, cluster: string | undefined, options: GetNodesOptions) => {
        const { getNodes } = await import('../commands/get-nodes.ts');
        return getNodes(ofCluster(global, cluster), options, env);
      }),
    );
};

/** What machines and the API get from the cluster. */
const declareContents: DeclareBelow = (get, { env, run }) => {
  get
    .command('addons [cluster]')
    .description('which addons the running cluster has applied, and what is wrong with them')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: OutputOptions) => {
        const { getAddons } = await import('../commands/get-addons.ts');
        return getAddons(ofCluster(global, cluster), options, env);
      }),
    );
  get
    .command('keypairs [keysets...]')
    .alias('keypair')
    .description('key pairs, without their private keys')
    .option('--distrusted', 'also those that are no longer trusted')
    .addOption(outputOption())
    .action(
      run(async (global, keysets: readonly string[], options: GetKeypairsOptions) => {
        const { getKeypairs } = await import('../commands/get-keypairs.ts');
        return getKeypairs(global, keysets, options, env);
      }),
    );
  get
    .command('assets [cluster]')
    .description('the images and files that machines of a cluster download, and from where')
    .option('--copy', 'first copy them to the places that spec.assets names; what is already there is not copied again')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: GetAssetsOptions) => {
        const { getAssets } = await import('../commands/get-assets.ts');
        return getAssets(ofCluster(global, cluster), options, env);
      }),
    );
};

/** What machines are told to be. */
const declareNodePlans: DeclareBelow = (get, { env, run }) => {
  get
    .command('nodeplans [groups...]')
    .alias('nodeplan')
    .description(
      'what the machines of each instance group are told to be: the plan that nodeup carries out, in full with `-o yaml`',
    )
    .addOption(outputOption())
    .action(
      run(async (global, groups: readonly string[], options: OutputOptions) => {
        const { getNodePlans } = await import('../commands/get-node-plans.ts');
        return getNodePlans(global, groups, options, env);
      }),
    );
};

/** What people give it: secrets and keys. */
const declareAccess: DeclareBelow = (get, { env, run }) => {
  get
    .command('secrets [names...]')
    .alias('secret')
    .description('names of secrets; their contents only with `-o plaintext`')
    .addOption(
      new Option('-o, --output <format>', 'how to print')
        .choices(['table', 'yaml', 'json', 'plaintext'])
        .default('table'),
    )
    .action(
      run(async (global, names: readonly string[], options: GetSecretsOptions) => {
        const { getSecrets } = await import('../commands/get-secrets.ts');
        return getSecrets(global, names, options, env);
      }),
    );
  get
    .command('sshpublickeys [cluster]')
    .aliases(['sshpublickey', 'ssh'])
    .description('public keys that may log in to the machines')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: OutputOptions) => {
        const { getSshPublicKeys } = await import('../commands/get-ssh-public-keys.ts');
        return getSshPublicKeys(ofCluster(global, cluster), options, env);
      }),
    );
};

import { type Command, Option } from 'commander';
import { apiVersionOption, group, outputOption, type Declare, wideOutputOption } from './declaring.ts';

const withOutput = (command: Command): Command =>
  command
    .option('--full', 'the completed spec, with every inferred value')
    .addOption(outputOption())
    .addOption(apiVersionOption());

/** `get`: alone it shows all of a cluster. */
export const declareGet: Declare = ({ program, env, run }) => {
  const get = group(program, 'get', 'show objects');
  const all = run(async (global, options) => {
    const { getAll } = await import('../commands/get.ts');
    return getAll(global, options as Parameters<typeof getAll>[1], env);
  });
  withOutput(get).action(all);
  withOutput(get.command('all').alias('everything')).description('the Cluster and its instance groups').action(all);
  withOutput(get.command('clusters [names...]').alias('cluster').description('the clusters of the state store')).action(
    run(async (global, names: readonly string[], options) => {
      const { getClusters } = await import('../commands/get.ts');
      return getClusters(global, names, options as Parameters<typeof getClusters>[2], env);
    }),
  );
  withOutput(
    get
      .command('instancegroups [names...]')
      .aliases(['instancegroup', 'ig'])
      .description('the instance groups of a cluster'),
  ).action(
    run(async (global, names: readonly string[], options) => {
      const { getInstanceGroups } = await import('../commands/get.ts');
      return getInstanceGroups(global, names, options as Parameters<typeof getInstanceGroups>[2], env);
    }),
  );
  get
    .command('machines')
    .alias('instances')
    .description('the machines that a cluster has in its cloud')
    .addOption(outputOption())
    .action(
      run(async (global, options) => {
        const { getMachines } = await import('../commands/get-machines.ts');
        return getMachines(global, options as Parameters<typeof getMachines>[1], env);
      }),
    );
  get
    .command('nodes')
    .alias('node')
    .description('every machine: its Node, how it booted, how it finds the others, volumes, addons, and what is wrong')
    .addOption(wideOutputOption())
    .action(
      run(async (global, options) => {
        const { getNodes } = await import('../commands/get-nodes.ts');
        return getNodes(global, options as Parameters<typeof getNodes>[1], env);
      }),
    );
  get
    .command('addons')
    .description('what the running cluster applied of its addons, and what is wrong with them')
    .addOption(outputOption())
    .action(
      run(async (global, options) => {
        const { getAddons } = await import('../commands/get-addons.ts');
        return getAddons(global, options as Parameters<typeof getAddons>[1], env);
      }),
    );
  get
    .command('keypairs [keysets...]')
    .alias('keypair')
    .description('key pairs, without their private halves')
    .option('--distrusted', 'also those that are not trusted any more')
    .addOption(outputOption())
    .action(
      run(async (global, keysets: readonly string[], options) => {
        const { getKeypairs } = await import('../commands/get-keypairs.ts');
        return getKeypairs(global, keysets, options as Parameters<typeof getKeypairs>[2], env);
      }),
    );
  for (const kind of ['secrets', 'sshpublickeys'] as const) {
    get
      .command(kind)
      .alias(kind.slice(0, -1))
      .description(
        {
          secrets: 'names of secrets, never what is in them',
          sshpublickeys: 'public keys that may log in to the machines',
        }[kind],
      )
      .addOption(outputOption())
      .action(
        run(async (global, options) => {
          const { getKeys } = await import('../commands/get-keys.ts');
          return getKeys(global, kind, options as Parameters<typeof getKeys>[2], env);
        }),
      );
  }
};

/** `explain`. */
export const declareExplain: Declare = ({ program, env, run }) => {
  program
    .command('explain')
    .argument('<kind>', 'cluster, instancegroup or node')
    .argument('<name>')
    .argument('[path]', 'e.g. spec.podCIDR; of a node none')
    .description(
      'say where a value of the completed spec came from, or every value of an object; of a node, why it is not Ready',
    )
    .addOption(new Option('-o, --output <format>', 'of a node: how to print').choices(['text', 'json']).default('text'))
    .action(
      run(
        async (global, kind: string, name: string, path: string | undefined, options: { readonly output: string }) => {
          if (/^(nodes?|no)$/.test(kind)) {
            const { explainNode } = await import('../commands/explain-node.ts');
            return explainNode(global, name, options, env);
          }
          const { explain } = await import('../commands/explain.ts');
          return explain(global, kind, name, path ?? 'spec', env);
        },
      ),
    );
};

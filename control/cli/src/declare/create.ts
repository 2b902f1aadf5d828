import { Option } from 'commander';
import { group, type Declare } from './declaring.ts';

/** `create -f` and `create cluster`. */
export const declareCreate: Declare = ({ program, run }) => {
  const create = group(program, 'create', 'create objects');
  create.option('-f, --filename <file...>', 'Cluster and InstanceGroup objects to store').action(
    run(async (global, options: { filename?: readonly string[] }) => {
      const { createFromFiles } = await import('../commands/create.ts');
      return createFromFiles(global, options.filename ?? []);
    }),
  );
  create
    .command('cluster [name]')
    .description('infer a cluster from a few flags')
    .addOption(new Option('--cloud <cloud>', 'the cloud').choices(['local']).default('local'))
    .option('--control-plane-count <n>', 'control-plane machines', '1')
    .option('--node-count <n>', 'worker machines', '1')
    .option('--kubernetes-version <version>', 'e.g. 1.20.2')
    .option('--dry-run', 'print the objects, store nothing')
    .addOption(new Option('-o, --output <format>', 'with --dry-run').choices(['yaml', 'json']).default('yaml'))
    .action(
      run(async (global, name: string | undefined, options) => {
        const { createCluster } = await import('../commands/create-cluster.ts');
        return createCluster(global, name, options as Parameters<typeof createCluster>[2]);
      }),
    );
};

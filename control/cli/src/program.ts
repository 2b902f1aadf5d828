import { Command, Option } from 'commander';
import { VERSION } from './version.ts';

/** Options every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
}

/**
 * The command tree. Each command's code is imported when it runs; a command prints its results to stdout,
 * its narration to stderr, and leaves its exit code in `outcome`.
 */
export function buildProgram(env: NodeJS.ProcessEnv, outcome: { code: number }): Command {
  const program = new Command('kopsctl')
    .description('Creates and runs Kubernetes clusters the kops way.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addOption(new Option('--state <url>', 'where clusters are kept: file://, s3://').env('KOPS_STATE_STORE'))
    .addOption(new Option('--name <cluster>', 'the cluster').env('KOPS_CLUSTER_NAME'));

  const run =
    <Args extends unknown[]>(action: (global: GlobalOptions, ...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<void> => {
      outcome.code = await action(program.opts<GlobalOptions>(), ...args);
    };

  const assetsDir = () => new Option('--assets <dir>', 'the folder of prepared assets').env('KOPSCTL_ASSETS');

  program
    .command('apply')
    .description('write the spec and make it true: shows the plan, applies it with --yes')
    .option('-f, --filename <file...>', 'Cluster and InstanceGroup objects; without it, what the store holds')
    .option('--yes', 'apply; otherwise the plan is shown and nothing is changed')
    .option('--prune', 'also remove what is no longer wanted')
    .option('--wait <duration>', 'after applying, wait until the cluster is valid, e.g. 10m', '10m')
    .option('--no-wait', 'do not wait for the machines')
    .option('--exit-code', 'without --yes: exit 2 when changes are pending')
    .addOption(new Option('-o, --output <format>', 'how to print the plan').choices(['text', 'json']).default('text'))
    .addOption(assetsDir())
    .action(
      run(async (global, options) => {
        const { apply } = await import('./commands/apply.ts');
        return apply(global, options as Parameters<typeof apply>[1], env);
      }),
    );

  program
    .command('plan')
    .description('show what apply would do; changes nothing')
    .option('-f, --filename <file...>', 'Cluster and InstanceGroup objects; without it, what the store holds')
    .option('--exit-code', 'exit 2 when changes are pending')
    .addOption(new Option('-o, --output <format>', 'how to print the plan').choices(['text', 'json']).default('text'))
    .addOption(assetsDir())
    .action(
      run(async (global, options) => {
        const { apply } = await import('./commands/apply.ts');
        return apply(global, { ...(options as Parameters<typeof apply>[1]), yes: false }, env);
      }),
    );

  const create = program.command('create').description('create objects');
  create.option('-f, --filename <file...>', 'Cluster and InstanceGroup objects to store').action(
    run(async (global, options: { filename?: readonly string[] }) => {
      const { createFromFiles } = await import('./commands/create.ts');
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
        const { createCluster } = await import('./commands/create-cluster.ts');
        return createCluster(global, name, options as Parameters<typeof createCluster>[2]);
      }),
    );

  const get = program.command('get').description('show objects');
  for (const kind of ['clusters', 'instancegroups', 'all', 'machines'] as const) {
    get
      .command(kind)
      .alias({ clusters: 'cluster', instancegroups: 'ig', all: 'everything', machines: 'instances' }[kind])
      .option('--full', 'the completed spec, with every inferred value')
      .addOption(new Option('-o, --output <format>').choices(['table', 'yaml', 'json']).default('table'))
      .action(
        run(async (global, options) => {
          const { getObjects } = await import('./commands/get.ts');
          return getObjects(global, kind, options as Parameters<typeof getObjects>[2]);
        }),
      );
  }

  program
    .command('explain')
    .argument('<kind>', 'cluster')
    .argument('<cluster>')
    .argument('<path>', 'e.g. spec.podCIDR')
    .description('say where a value of the completed spec came from')
    .action(
      run(async (global, kind: string, cluster: string, path: string) => {
        const { explain } = await import('./commands/explain.ts');
        return explain(global, kind, cluster, path);
      }),
    );

  program
    .command('validate')
    .description('check a running cluster')
    .command('cluster [name]')
    .option('--wait <duration>', 'keep trying that long, e.g. 10m')
    .addOption(new Option('-o, --output <format>').choices(['table', 'json']).default('table'))
    .action(
      run(async (global, name: string | undefined, options) => {
        const { validate } = await import('./commands/validate.ts');
        return validate(global, name, options as Parameters<typeof validate>[2]);
      }),
    );

  program
    .command('export')
    .description('write access data')
    .command('kubeconfig [name]')
    .alias('kubecfg')
    .option('--admin <duration>', 'how long the certificate is valid', '18h')
    .action(
      run(async (global, name: string | undefined, options: { admin: string }) => {
        const { exportKubeconfig } = await import('./commands/export-kubeconfig.ts');
        return exportKubeconfig(global, name, options, env);
      }),
    );

  program
    .command('delete')
    .description('remove what kopsctl made')
    .command('cluster [name]')
    .option('--yes', 'do it; otherwise it is only shown')
    .action(
      run(async (global, name: string | undefined, options: { yes?: boolean }) => {
        const { deleteCluster } = await import('./commands/delete-cluster.ts');
        return deleteCluster(global, name, options, env);
      }),
    );

  const toolbox = program.command('toolbox').description('look into things');
  toolbox
    .command('console <machine>')
    .description('print the console log of a local machine')
    .action(
      run(async (global, machine: string) => {
        const { printConsole } = await import('./commands/toolbox.ts');
        return printConsole(global, machine);
      }),
    );
  toolbox
    .command('exec <machine> [command...]')
    .description('run a command on a local machine; options of its own come after `--`')
    .action(
      run(async (global, machine: string, command: string[]) => {
        const { execOnMachine } = await import('./commands/toolbox.ts');
        return execOnMachine(global, machine, command);
      }),
    );
  toolbox
    .command('reboot <machine>')
    .description('reboot a local machine')
    .action(
      run(async (global, machine: string) => {
        const { rebootMachine } = await import('./commands/toolbox.ts');
        return rebootMachine(global, machine);
      }),
    );
  toolbox
    .command('terminate <machine>')
    .description('power a local machine off and forget it; apply makes a new one')
    .action(
      run(async (global, machine: string) => {
        const { terminateMachine } = await import('./commands/toolbox.ts');
        return terminateMachine(global, machine);
      }),
    );
  toolbox
    .command('unlock [name]')
    .description("break a cluster's lock that its holder left behind")
    .action(
      run(async (global, name: string | undefined) => {
        const { unlock } = await import('./commands/toolbox.ts');
        return unlock(global, name);
      }),
    );
  toolbox
    .command('schema <kind>')
    .description('print the JSON Schema of Cluster or InstanceGroup, for editors')
    .action(
      run(async (_global, kind: string) => {
        const { printSchema } = await import('./commands/toolbox.ts');
        return printSchema(kind);
      }),
    );
  toolbox
    .command('gc')
    .description('remove what crashed local clusters left on this computer')
    .action(
      run(async () => {
        const { collectGarbage } = await import('./commands/toolbox.ts');
        return collectGarbage();
      }),
    );

  return program;
}

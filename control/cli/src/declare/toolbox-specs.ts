import { type Command, Option } from 'commander';
import type { ApplyAddonsOptions } from '../commands/apply-addons.ts';
import type { InstanceSelectorOptions } from '../flags/instance-selector-flags.ts';
import type { RenderTemplateOptions } from '../commands/render-template.ts';
import { ofCluster } from '../flags/global-options.ts';
import {
  apiServerOption,
  countOption,
  type Declare,
  filesOption,
  group,
  listOption,
  outputOption,
  repeatedOption,
  switchOptions,
} from './declaring.ts';
import type { OutputOptions } from '../flags/output-options.ts';

/** `toolbox template`, `toolbox instance-selector` and `toolbox addons`. */
export const declareToolboxSpecs: Declare = ({ program, env, run }) => {
  const toolbox = group(program, 'toolbox', 'look at machines, locks, schemas and specs');
  const template = toolbox
    .command('template [cluster]')
    .description('render Go templates of specs with values from files and flags')
    .addOption(listOption('--template <paths>', 'files or folders of templates'))
    .addOption(listOption('--snippets <paths>', 'files or folders that templates include by name'))
    .addOption(listOption('--values <files>', 'values in YAML; later files override earlier ones'))
    .addOption(repeatedOption('--set <name=value>', 'set a value; numbers and booleans are recognized'))
    .addOption(repeatedOption('--set-string <name=value>', 'set a value that is a string'))
    .option('--out <file>', 'write a file instead of standard output')
    .addOption(new Option('--output <file>').hideHelp())
    .option('--format-yaml', 'format the output as YAML')
    .option('--config-value <name>', 'print a value, and render nothing')
    .option('--channel <channel>', 'the channel that template functions ask: a name, a URL or a file (default: stable)')
    .action(
      run(async (global, cluster: string | undefined, options: RenderTemplateOptions) => {
        const { renderTemplate } = await import('../commands/render-template.ts');
        return renderTemplate(global, cluster, options, env);
      }),
    );
  for (const option of switchOptions('fail-on-missing', 'fail where a value is missing (default)')) {
    template.addOption(option);
  }

  const addons = toolbox.command('addons').description('addons of a running cluster, as its channels list them');
  addons
    .command('apply [channels...]')
    .description('show which addons of channels a running cluster lacks; with --yes, apply them')
    .addOption(filesOption('further channels'))
    .option('-y, --yes', 'apply them; otherwise they are only shown')
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .action(
      run(async (global, channels: readonly string[], options: ApplyAddonsOptions) => {
        const { applyAddons } = await import('../commands/apply-addons.ts');
        return applyAddons(global, channels, options, env);
      }),
    );
  addons
    .command('list [cluster]')
    .description('show which addons a running cluster has applied; the same as `get addons`')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: OutputOptions) => {
        const { getAddons } = await import('../commands/get-addons.ts');
        return getAddons(ofCluster(global, cluster), options, env);
      }),
    );

  const selector = toolbox
    .command('instance-selector <group>')
    .description('make an instance group of machine types that match what is asked for')
    .option('--dry-run', 'print the objects, store nothing')
    .addOption(new Option('-o, --output <format>', 'how --dry-run prints').choices(['yaml', 'json']).default('yaml'))
    .addOption(countOption('--node-count-min <n>', 'the least number of machines').default(1))
    .addOption(countOption('--node-count-max <n>', 'the greatest number of machines').default(10))
    .addOption(countOption('--node-volume-size <gib>', 'root volume of the machines'))
    .addOption(listOption('--node-security-groups <ids>', 'further security groups of the machines'))
    .addOption(listOption('--subnets <names>', 'subnets of the cluster; without it, all that suit nodes'))
    .addOption(countOption('--ig-count <n>', 'how many groups, each with twice the memory per processor of the last'))
    .addOption(countOption('--max-results <n>', 'how many types a group may have').default(20));
  declareTypeFilters(selector);
  selector.action(
    run(async (global, name: string, options: InstanceSelectorOptions) => {
      const { instanceSelector } = await import('../commands/instance-selector.ts');
      return instanceSelector(global, name, options, env);
    }),
  );
};

/** What the types should have. */
function declareTypeFilters(command: Command): void {
  for (const [flag, what, value] of [
    ['vcpus', 'processors', 'n'],
    ['memory', 'memory, e.g. 4gb', 'size'],
    ['gpus', 'GPUs', 'n'],
    ['gpu-memory', 'memory of all GPUs together, e.g. 4gb', 'size'],
    ['network-interfaces', 'network interfaces', 'n'],
  ] as const) {
    command
      .option(`--${flag} <${value}>`, `${what}: exactly this much`)
      .option(`--${flag}-min <${value}>`, 'at least')
      .option(`--${flag}-max <${value}>`, 'at most');
  }
  command
    .option('--vcpus-to-memory-ratio <ratio>', 'processors to GiB of memory, e.g. 1:2')
    .option('--base-instance-type <type>', 'types that are similar to this one')
    .option('--flexible', 'several current types; 4 processors with 8 GiB unless told otherwise')
    .option('--allow-list <pattern>', 'only types that match this regular expression')
    .option('--deny-list <pattern>', 'no types that match this regular expression')
    .option('--placement-group-strategy <strategy>', 'cluster, partition or spread')
    .addOption(
      new Option('--cpu-architecture <architecture>', 'architecture of the processors')
        .choices(['amd64', 'x86_64', 'arm64'])
        .default('amd64'),
    )
    .addOption(
      new Option('--usage-class <class>', 'how the machines are paid for')
        .choices(['on-demand', 'spot'])
        .default('on-demand'),
    );
  for (const [flag, what] of [
    ['burst-support', 'types with burstable processors'],
    ['ena-support', 'types with enhanced networking'],
    ['cluster-autoscaler', 'tags by which the cluster autoscaler finds the group (default)'],
  ] as const) {
    for (const option of switchOptions(flag, what)) command.addOption(option);
  }
}

import { Option } from 'commander';
import type { GraphOptions } from '../commands/graph.ts';
import type { TimelineOptions } from '../commands/timeline.ts';
import { countOption, type Declare } from './declaring.ts';

/** `timeline`, `graph` and `ui`: what happened on machines, what depends on what, and all of it as pages. */
export const declareSee: Declare = ({ program, env, run }) => {
  program
    .command('timeline [cluster]')
    .description(
      'show how machines booted: each task, how long it took, and which of them decided how long the boot took',
    )
    .option('--node <name>', 'this machine alone, also if it is gone')
    .option('--all', 'short tasks too')
    .option('--all-machines', 'also machines that are gone')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['text', 'svg', 'html', 'json']).default('text'),
    )
    .action(
      run(async (global, cluster: string | undefined, options: TimelineOptions) => {
        const { timeline } = await import('../commands/timeline.ts');
        return timeline(global, cluster, options, env);
      }),
    );

  program
    .command('graph [cluster]')
    .description('draw a cluster, or the tasks that make it and what each waits for')
    .addOption(
      new Option('--what <part>', 'the parts of the cluster, or the tasks that make it')
        .choices(['topology', 'tasks'])
        .default('topology'),
    )
    .option('--instance-group <name>', 'instead, the tasks that nodeup carries out on machines of this group')
    .addOption(
      new Option('-o, --output <format>', 'for Graphviz, for Markdown, or as data')
        .choices(['dot', 'mermaid', 'json'])
        .default('dot'),
    )
    .action(
      run(async (global, cluster: string | undefined, options: GraphOptions) => {
        const { graph } = await import('../commands/graph.ts');
        return graph(global, cluster, options, env);
      }),
    );

  program
    .command('ui')
    .description('show clusters, machines and their boots, plans and backups as pages in a browser on this computer')
    .addOption(countOption('--port <port>', 'where they are served; 0 is any port that is free').default(0))
    .action(
      run(async (global, options: { readonly port: number }) => {
        const { ui } = await import('../commands/ui.ts');
        return ui(global, options, env);
      }),
    );
};

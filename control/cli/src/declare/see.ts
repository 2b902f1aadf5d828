import { Option } from 'commander';
import type { TimelineOptions } from '../commands/timeline.ts';
import type { Declare } from './declaring.ts';

/** `timeline`: what happened on machines. */
export const declareSee: Declare = ({ program, env, run }) => {
  program
    .command('timeline [cluster]')
    .description(
      'show how machines booted: each task, how long it took, and which of them decided how long the boot took',
    )
    .option('--node <name>', 'this machine alone')
    .option('--all', 'short tasks too')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['text', 'svg', 'html', 'json']).default('text'),
    )
    .action(
      run(async (global, cluster: string | undefined, options: TimelineOptions) => {
        const { timeline } = await import('../commands/timeline.ts');
        return timeline(global, cluster, options, env);
      }),
    );
};

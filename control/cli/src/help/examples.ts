import type { Command } from 'commander';
import { visibleCommands } from './command-tree.ts';
import type { Examples } from './example.ts';
import { CREATE_EXAMPLES } from './examples-create.ts';
import { DAY_TWO_EXAMPLES } from './examples-day-two.ts';
import { KEEP_EXAMPLES } from './examples-keep.ts';
import { SHOW_EXAMPLES } from './examples-show.ts';
import { TOOLBOX_EXAMPLES } from './examples-toolbox.ts';

/** The examples of every command. A test reads each as a command line, and fails on a command without one. */
export const EXAMPLES: Examples = {
  ...CREATE_EXAMPLES,
  ...SHOW_EXAMPLES,
  ...KEEP_EXAMPLES,
  ...DAY_TWO_EXAMPLES,
  ...TOOLBOX_EXAMPLES,
};

/** Has help show the examples of each command. */
export function addExamples(program: Command): void {
  for (const { path, command } of visibleCommands(program)) {
    const examples = (EXAMPLES[path] ?? []).map(([purpose, line]) => `  # ${purpose}\n  kopsctl ${line}\n`);
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  }
}

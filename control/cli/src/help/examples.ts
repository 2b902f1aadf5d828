import type { Command } from 'commander';
import { visibleCommands } from './command-tree.ts';
import type { Example, Examples } from './example.ts';
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

/** The life of a cluster: what the program shows of all its commands. */
const FIRST_STEPS = [
  'create cluster',
  'update cluster',
  'validate cluster',
  'edit cluster',
  'rolling-update cluster',
  'upgrade cluster',
  'delete cluster',
];

/**
 * The examples of a command; of a group without examples of its own, the first one of each command below it.
 *
 * @param path the words that name the command: none for the program
 */
export function examplesOf(path: string, command: Command): readonly Example[] {
  const own = EXAMPLES[path];
  if (own !== undefined) return own;
  const below = path === '' ? FIRST_STEPS : visibleCommands(command, path.split(' ')).map((one) => one.path);
  return below.flatMap((one) => (EXAMPLES[one] ?? []).slice(0, 1));
}

/** Has help show the examples of each command. */
export function addExamples(program: Command): void {
  for (const { path, command } of [{ path: '', command: program }, ...visibleCommands(program)]) {
    const examples = examplesOf(path, command).map(([purpose, line]) => `  # ${purpose}\n  kopsctl ${line}\n`);
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  }
}

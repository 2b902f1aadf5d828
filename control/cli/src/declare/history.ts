import { COMPARED } from '@kopsctl/actions/history/compared.ts';
import { InvalidArgumentError, Option } from 'commander';
import type { DiffOptions, UndoOptions } from '../commands/history.ts';
import { outputOption, type Declare } from './declaring.ts';
import type { OutputOptions } from '../flags/output-options.ts';

/** A change as `history` names it: a number, or `5+` for what another tool did after change 5. */
const changeOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((text) => {
    const [, number, plus] = /^(\d+)(\+?)$/.exec(text) ?? [];
    if (number !== undefined && plus !== undefined) return `${Number(number)}${plus}`;
    throw new InvalidArgumentError('It is not a change as `kopsctl history` numbers them, e.g. 5 or 5+.');
  });

/** `history`, `diff` and `undo`: what a spec was, and bringing it back. */
export const declareHistory: Declare = ({ program, env, run }) => {
  program
    .command('history [cluster]')
    .description('show who changed the spec of a cluster, when, how and why')
    .addOption(outputOption())
    .action(
      run(async (global, cluster: string | undefined, options: OutputOptions) => {
        const { history } = await import('../commands/history.ts');
        return history(global, cluster, options, env);
      }),
    );
  program
    .command('diff [cluster]')
    .description('show what the last change of a spec did, or what is different between two of its changes')
    .addOption(
      new Option('--what <part>', 'the spec, the completed spec, or the node plans that follow from it')
        .choices(COMPARED)
        .default('spec'),
    )
    .addOption(changeOption('--from <change>', 'as the spec was after this change (default: before the last one)'))
    .addOption(changeOption('--to <change>', 'as the spec was after this change (default: as it is)'))
    .addOption(
      new Option('-o, --output <format>', 'as `diff -u` prints it, or as data')
        .choices(['text', 'yaml', 'json'])
        .default('text'),
    )
    .option('--exit-code', 'exit 2 when there is a difference')
    .action(
      run(async (global, cluster: string | undefined, options: DiffOptions) => {
        const { diff } = await import('../commands/history.ts');
        return diff(global, cluster, options, env);
      }),
    );
  program
    .command('undo [cluster]')
    .description(
      'show what bringing an earlier spec back changes; with --yes, bring it back (machines stay as they are)',
    )
    .addOption(changeOption('--to <change>', 'as the spec was after this change (default: before the last one)'))
    .option('-y, --yes', 'bring it back; otherwise it is only shown')
    .action(
      run(async (global, cluster: string | undefined, options: UndoOptions) => {
        const { undo } = await import('../commands/history.ts');
        return undo(global, cluster, options, env);
      }),
    );
};

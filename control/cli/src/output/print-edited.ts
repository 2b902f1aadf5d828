import type { EditedObject } from '@kopsctl/actions/phases/edit-stored-object.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { writeDiff, writeOut } from './terminal.ts';

/** Shows what a person changed in an object, says what became of it, and returns the exit code. */
export function printEdited(
  global: GlobalOptions,
  { title, outcome, patch, next }: EditedObject,
  dryRun = false,
): number {
  writeDiff(patch);
  if (dryRun && outcome === 'changed') {
    writeOut(`${title} would be changed; nothing is stored\n`);
    return 0;
  }
  const proposal = next === undefined ? '' : `. Next: ${nextCommand(global, [...next, '--yes'])}`;
  writeOut(outcome === 'unchanged' ? `${title} stays as it is\n` : `Changed ${title}${proposal}\n`);
  return 0;
}

import type { EditedObject } from '@kopsctl/actions/phases/edit-stored-object.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { writeResult } from './terminal.ts';

/** Shows what a person changed in an object, says what became of it, and returns the exit code. */
export function printEdited(
  global: GlobalOptions,
  { title, outcome, patch, next }: EditedObject,
  dryRun = false,
): number {
  const proposal = next === undefined ? undefined : nextCommand(global, [...next, '--yes']);
  const details = { object: title, outcome, dryRun, next: proposal };
  writeResult({ message: sentenceOn({ title, outcome, dryRun, proposal }), patch, details });
  return 0;
}

function sentenceOn({
  title,
  outcome,
  dryRun,
  proposal,
}: Pick<EditedObject, 'title' | 'outcome'> & {
  readonly dryRun: boolean;
  readonly proposal: string | undefined;
}): string {
  if (outcome === 'unchanged') return `${title} stays as it is`;
  if (dryRun) return `${title} would be changed; nothing is stored`;
  return `Changed ${title}${proposal === undefined ? '' : `. Next: ${proposal}`}`;
}

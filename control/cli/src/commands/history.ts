import type { Compared } from '@kopsctl/actions/history/compared.ts';
import { compareSpec } from '@kopsctl/actions/compare-spec.ts';
import { listChanges } from '@kopsctl/actions/list-changes.ts';
import { undoChange } from '@kopsctl/actions/undo-change.ts';
import { actionContext } from '../context.ts';
import { describeChange } from '../output/describe-change.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { printed, printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { writeDiff, writeDocument, writeErr, writeOut, writeResult } from '../output/terminal.ts';

export interface DiffOptions {
  readonly what: Compared;
  readonly from?: string;
  readonly to?: string;
  readonly exitCode?: boolean;
  readonly output: 'text' | 'yaml' | 'json';
}

export interface UndoOptions {
  readonly to?: string;
  readonly yes?: boolean;
}

/** Lists the changes of a spec, the newest last, as a log is read. */
export async function history(
  global: GlobalOptions,
  cluster: string | undefined,
  { output }: OutputOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const listed = await listChanges(actionContext(global, env), cluster);
  if (output !== 'table') {
    writeDocument(await printed([listed], output, { single: true }));
    return 0;
  }
  const rows = listed.changes.map((line) => {
    const objects = line.objects.map(({ path, before, after }) => `${sign(before, after)}${path}`).join(' ');
    const { at, who, why, command } = describeChange(line);
    return [line.id, at, who, objects, why, command];
  });
  writeOut(table(['CHANGE', 'AT', 'WHO', 'OBJECTS', 'WHY', 'COMMAND'], rows));
  if (listed.changedElsewhere.length > 0) {
    const objects = listed.changedElsewhere.join(', ');
    writeErr(`Note: ${objects}: changed since then by another tool; the text before that was not kept\n`);
  }
  return 0;
}

const sign = (before: string | null, after: string | null): string => {
  if (before === null) return '+';
  return after === null ? '-' : '';
};

/** Prints the differences between two points of a spec's history, as `diff -u` does. */
export async function diff(
  global: GlobalOptions,
  cluster: string | undefined,
  { what, from, to, exitCode, output }: DiffOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const compared = await compareSpec(actionContext(global, env), { cluster, what, from, to });
  const { differences } = compared;
  if (output === 'text') writeDiff(differences.map(({ patch }) => patch).join(''));
  else writeDocument(await printedValue(compared, output));
  return exitCode === true && differences.length > 0 ? 2 : 0;
}

/** Brings an earlier spec back, or shows what that would change. */
export async function undo(
  global: GlobalOptions,
  argument: string | undefined,
  { to, yes }: UndoOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const request = { cluster: argument, to, yes: yes === true };
  const { cluster, differences, next } = await undoChange(actionContext(global, env), request);
  if (differences.length === 0) {
    writeResult({ message: `The spec of ${cluster} is already as it was then`, details: { cluster, differences } });
    return 0;
  }
  const proposal = next === undefined ? undefined : nextCommand(global, [...next, '--yes']);
  const paths = differences.map(({ path }) => path).join(', ');
  writeResult({
    message:
      yes === true
        ? `Brought back ${paths} of ${cluster}${proposal === undefined ? '' : `. Next: ${proposal}`}`
        : `Would bring back ${paths} of ${cluster}. Add --yes to do it`,
    patch: differences.map(({ patch }) => patch).join(''),
    details: { cluster, differences, outcome: yes === true ? 'changed' : 'found', next: proposal },
  });
  return 0;
}

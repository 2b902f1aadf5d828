import type { RunResult, TaskResult } from './run-result.ts';
import type { FieldChange, Json, Step } from './task.ts';

/** Longer values are shortened: a plan is read by people, and the whole stands in the JSON form. */
const LONGEST_VALUE = 100;

/** A run's plan or outcome for people. Equal results give equal text: no times, no colours, graph order. */
export function renderPlan(result: RunResult): string {
  const acted = result.tasks.filter(({ steps }) => steps.length > 0);
  const by = (name: string) => result.deletions.filter((deletion) => deletion.result === name);
  const unlisted = [...result.tasks, ...result.deletions].filter(({ result }) => result === 'failed');
  const is = result.mode === 'plan' ? 'Will' : 'Did';
  const sections = [
    section(`${is} create:`, acted.filter(({ existed }) => existed === false).map(taskText)),
    section(`${is} modify:`, acted.filter(({ existed }) => existed !== false).map(taskText)),
    section(
      'Will delete:',
      by('planned').map(({ id, owned }) => `  ${id}  ${owned.description}\n`),
    ),
    section(
      'Deleted:',
      by('removed').map(({ id, owned }) => `  ${id}  ${owned.description}\n`),
    ),
    section(
      'No longer wanted, kept unless pruning is asked for:',
      by('kept').map(({ id, owned }) => `  ${id}  ${owned.description}\n`),
    ),
    section(
      'Warnings:',
      result.tasks.flatMap(({ id, warnings }) => warnings.map((warning) => `  ${id}: ${warning}\n`)),
    ),
    section(
      'Failed:',
      unlisted.map(
        ({ id, error, hint }) => `  ${id}: ${error ?? ''}\n${hint === undefined ? '' : `    Next: ${hint}\n`}`,
      ),
    ),
    section(
      'Not tried:',
      skipped(result).map(({ id, error }) => `  ${id}: ${error ?? ''}\n`),
    ),
  ];
  const text = sections.filter((part) => part !== '').join('\n');
  return text === '' ? 'No changes: everything is as wanted.\n' : text;
}

function skipped({ tasks, deletions }: RunResult) {
  return [...tasks, ...deletions].filter(({ result }) => result === 'skipped');
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}\n${entries.join('')}`;
}

function taskText({ id, steps }: TaskResult): string {
  return `  ${id}\n${steps.map(stepText).join('')}`;
}

function stepText({ summary, changes = [], diff = '' }: Step): string {
  const diffLines = diff === '' ? [] : diff.replace(/\n$/, '').split('\n');
  const width = Math.max(0, ...changes.map(({ path }) => path.length));
  return [
    `    ${summary}`,
    ...changes.map((change) => `      ${change.path.padEnd(width)}  ${changeText(change)}`),
    ...diffLines.map((line) => `      ${line}`),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function changeText({ from, to }: FieldChange): string {
  if (from === undefined) return shortened(to ?? null);
  return `${shortened(from)} → ${to === undefined ? '(removed)' : shortened(to)}`;
}

function shortened(value: Json): string {
  const text = typeof value === 'string' && !/[\s"]/.test(value) && value !== '' ? value : JSON.stringify(value);
  const characters = [...text];
  return characters.length <= LONGEST_VALUE
    ? text
    : `${characters.slice(0, LONGEST_VALUE).join('')}… (${characters.length} characters)`;
}

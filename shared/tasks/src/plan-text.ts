import { causesText } from './causes.ts';
import type { Deletion, RunResult, TaskResult } from './run-result.ts';
import { type FieldChange, type Json, KNOWN_AFTER_APPLY, type Step } from './task.ts';

/** Longer values are shortened for people; the JSON form has the whole. */
const LONGEST_VALUE = 100;

/** A run's plan or outcome for people. Equal results give equal text: no times, no colours, graph order. */
export function renderPlan({ mode, tasks, deletions }: RunResult): string {
  const acted = tasks.filter(({ steps }) => steps.length > 0);
  const all = [...tasks, ...deletions];
  const gone = (result: Deletion['result']) => deletions.filter((one) => one.result === result).map(ownedText);
  const [create, modify] = mode === 'plan' ? ['Will create', 'Will modify'] : ['Created', 'Modified'];
  const warned = tasks.flatMap(({ id, warnings }) => warnings.map((warning) => `  ${id}: ${warning}\n`));
  const sections = [
    section(create, acted.filter(({ existed }) => existed === false).map(taskText)),
    section(modify, acted.filter(({ existed }) => existed !== false).map(taskText)),
    section('Will delete', gone('planned')),
    section('Deleted', gone('removed')),
    section('No longer wanted, kept unless pruning is asked for', gone('kept')),
    section('Warnings', warned),
    causesText({ tasks, deletions }),
  ];
  const isAsWanted = acted.length === 0 && all.every(({ result }) => result === 'unchanged');
  return [isAsWanted ? 'No changes need to be applied: everything is as wanted.\n' : '', ...sections]
    .filter((part) => part !== '')
    .join('\n');
}

function ownedText({ id, owned }: Deletion): string {
  return `  ${id}${owned.description === owned.name ? '' : ` (${owned.description})`}\n`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}:\n${entries.join('')}`;
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
  const plain = value === KNOWN_AFTER_APPLY || (typeof value === 'string' && /^[^\s"]+$/.test(value));
  const text = plain ? value : JSON.stringify(value);
  if (text.length <= LONGEST_VALUE) return text;
  // Never in the middle of a character that takes two units.
  return `${text.slice(0, LONGEST_VALUE).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

import type { Failure, Tally } from './tally.ts';

/** One part of the suite that has ended. */
export interface EndedPhase {
  readonly name: string;
  readonly seconds: number;
  readonly exitCode: number;
  /** Processes that wanted a processor when it ended, over the last minute. */
  readonly load: number;
  /** Undefined for a part that runs no tests. */
  readonly tally?: Tally | undefined;
  /** How its failed files did when they were run again, alone; undefined if they were not. */
  readonly again?: EndedPhase;
}

export interface Verdict {
  readonly exitCode: 0 | 1;
  readonly lines: readonly string[];
}

/** More names would hide the rest. */
const NAMES_SHOWN = 60;
/** A failure is explained here too, because only the end of a long log may be kept. */
const FAILURES_EXPLAINED = 3;
const FIRST_LINES = 5;
const LAST_LINES = 25;
const LINE_WIDTH = 200;

/**
 * Sums the suite up. On a machine of CI every test must have run: a skipped one fails it.
 *
 * @param seconds that all of it took; some phases run at the same time
 * @param missing what is known not to have been tried at all, as a sentence each.
 */
export function verdict(
  phases: readonly EndedPhase[],
  seconds: number,
  missing: readonly string[],
  isCi: boolean,
): Verdict {
  const failed = phases.filter((phase) => phase.exitCode !== 0 && !isForgiven(phase));
  const failures = phases.flatMap(({ tally }) => tally?.failed ?? []);
  const forgiven = phases.filter(isForgiven).flatMap(({ tally }) => tally?.failed ?? []);
  const final = failures.filter((failure) => !forgiven.includes(failure));
  const skipped = phases.flatMap(({ tally }) => tally?.skipped ?? []);
  const isIncomplete = isCi && (skipped.length > 0 || missing.length > 0);
  return {
    exitCode: failed.length > 0 || isIncomplete ? 1 : 0,
    lines: [
      ...explained(failures),
      row('phase', 'seconds', 'load', 'passed', 'failed', 'skipped', ''),
      ...phases.flatMap((phase) => (phase.again === undefined ? [phase] : [phase, phase.again])).map(phaseRow),
      row(
        'all',
        seconds.toFixed(0),
        '',
        sum(phases, (one) => one.passed),
        sum(phases, (one) => one.failed.length),
        String(skipped.length),
        '',
      ),
      ...listed(
        'failed',
        final.map(({ name }) => name),
      ),
      ...listed(
        'passed only when run again, with nothing beside it',
        forgiven.map(({ name }) => name),
      ),
      ...listed('skipped', skipped),
      ...missing,
      ...(isIncomplete ? ['Error: CI must run every test, and some were skipped (see above)'] : []),
      ...(failed.length > 0 ? [`Error: failed: ${failed.map(({ name }) => name).join(', ')}`] : []),
    ],
  };
}

/** Whether all that failed was in files that passed when they were run again. */
function isForgiven({ again }: EndedPhase): boolean {
  return again?.exitCode === 0 && again.tally?.skipped.length === 0;
}

function phaseRow({ name, seconds, exitCode, load, tally }: EndedPhase): string {
  const counts = [tally?.passed, tally?.failed.length, tally?.skipped.length].map((count) => count?.toString() ?? '');
  return row(name, seconds.toFixed(0), load.toFixed(1), ...counts, exitCode === 0 ? '' : `exit code ${exitCode}`);
}

function row(...cells: readonly string[]): string {
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(14) : column > 5 ? cell : cell.padStart(8)))
    .join(' ')
    .trimEnd();
}

function sum(phases: readonly EndedPhase[], count: (tally: Tally) => number): string {
  return String(phases.reduce((all, { tally }) => all + (tally === undefined ? 0 : count(tally)), 0));
}

/** The beginning and the end of what each of the first failures threw. */
function explained(failures: readonly Failure[]): readonly string[] {
  return failures.slice(0, FAILURES_EXPLAINED).flatMap(({ name, why }) => {
    const lines = why.split('\n').map((line) => `  ${line.slice(0, LINE_WIDTH)}`);
    const leftOut = lines.length - FIRST_LINES - LAST_LINES;
    const shown =
      leftOut <= 0
        ? lines
        : [...lines.slice(0, FIRST_LINES), `  (${leftOut} lines left out)`, ...lines.slice(-LAST_LINES)];
    return [`why ${name}:`, ...shown, ''];
  });
}

function listed(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMES_SHOWN;
  return [
    `${what}:`,
    ...names.slice(0, NAMES_SHOWN).map((name) => `  ${name}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

import type { Tally } from './tally.ts';

/** One part of the suite that has ended. */
export interface EndedPhase {
  readonly name: string;
  readonly seconds: number;
  readonly exitCode: number;
  /** Processes that wanted a processor when it ended, over the last minute. */
  readonly load: number;
  /** Of a part that is no run of tests, nothing. */
  readonly tally?: Tally | undefined;
}

export interface Verdict {
  readonly exitCode: 0 | 1;
  readonly lines: readonly string[];
}

/** More names would hide the rest. */
const NAMES_SHOWN = 60;

/**
 * Sums the suite up. On a machine of CI every test must have run: a skipped one fails it.
 *
 * @param missing what is known not to have been tried at all, as a sentence each.
 */
export function verdict(phases: readonly EndedPhase[], missing: readonly string[], isCi: boolean): Verdict {
  const failed = phases.filter(({ exitCode }) => exitCode !== 0);
  const skipped = phases.flatMap(({ tally }) => tally?.skipped ?? []);
  const isIncomplete = isCi && (skipped.length > 0 || missing.length > 0);
  return {
    exitCode: failed.length > 0 || isIncomplete ? 1 : 0,
    lines: [
      row('phase', 'seconds', 'load', 'passed', 'failed', 'skipped', ''),
      ...phases.map(phaseRow),
      row(
        'all',
        total(phases),
        '',
        sum(phases, (one) => one.passed),
        sum(phases, (one) => one.failed.length),
        String(skipped.length),
        '',
      ),
      ...listed(
        'failed',
        phases.flatMap(({ tally }) => tally?.failed ?? []),
      ),
      ...listed('skipped', skipped),
      ...missing,
      ...(isIncomplete ? ['Error: CI must run every test, and some were skipped (see above)'] : []),
      ...(failed.length > 0 ? [`Error: failed: ${failed.map(({ name }) => name).join(', ')}`] : []),
    ],
  };
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

function total(phases: readonly EndedPhase[]): string {
  return phases.reduce((seconds, phase) => seconds + phase.seconds, 0).toFixed(0);
}

function sum(phases: readonly EndedPhase[], count: (tally: Tally) => number): string {
  return String(phases.reduce((all, { tally }) => all + (tally === undefined ? 0 : count(tally)), 0));
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

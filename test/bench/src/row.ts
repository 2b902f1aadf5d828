import type { Measured } from './measure.ts';

/** A line of the table of commands. */
export interface Row {
  readonly what: string;
  readonly measured: Measured;
  readonly mark?: Mark;
}

/** What a command may take at most: the median of its runs, and the largest memory of any. */
export interface Mark {
  readonly ms: number;
  readonly MiB?: number;
}

export const isMissed = ({ measured, mark }: Row): boolean =>
  mark !== undefined && (measured.medianMs > mark.ms || measured.peakMiB > (mark.MiB ?? Infinity));

/** The table in Markdown. */
export const tableOf = (rows: readonly Row[]): string =>
  ['| command | min / median / max ms | peak MiB | runs | mark |', '|---|---|---|---|---|', ...rows.map(line)].join(
    '\n',
  );

function line(row: Row): string {
  const { what, measured, mark } = row;
  const ms = [measured.minMs, measured.medianMs, measured.maxMs].map((value) => value.toFixed(0)).join(' / ');
  return `| ${what} | ${ms} | ${measured.peakMiB.toFixed(0)} | ${measured.runs} | ${mark === undefined ? '' : held(row, mark)} |`;
}

const held = (row: Row, { ms, MiB }: Mark): string =>
  `${MiB === undefined ? `${ms} ms` : `${ms} ms, ${MiB} MiB`}: ${isMissed(row) ? 'missed' : 'within'}`;

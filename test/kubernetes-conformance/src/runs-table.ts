/** A run of the whole suite. */
export interface WholeRun {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly commit: string;
  readonly passed: number;
  readonly tests: number;
  readonly minutes: number;
}

/** A page with more rows tells no more. */
const KEPT_RUNS = 10;

const HEAD = ['| date | commit | passed | minutes |', '| --- | --- | --- | --- |'];

/** The table of whole runs, the newest first: this one, and the last of those in the page as it was. */
export function runsTable(run: WholeRun, former: string): readonly string[] {
  return [...HEAD, ...[rowOf(run), ...formerRows(former)].slice(0, KEPT_RUNS)];
}

const rowOf = ({ date, commit, passed, tests, minutes }: WholeRun): string =>
  `| ${date} | ${commit} | ${String(passed)} of ${String(tests)} | ${minutes.toFixed(1)} |`;

function formerRows(page: string): readonly string[] {
  return page.split('\n').filter((line) => /^\| \d{4}-\d\d-\d\d \|/.test(line));
}

import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const paint = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

/** How the things below a title of a plan are marked. */
const SECTIONS: readonly (readonly [title: RegExp, mark: string, style: Style])[] = [
  [/^(Will create|Created):/, '+', 'green'],
  [/^(Will modify|Modified):/, '~', 'yellow'],
  [/^(Will delete|Deleted):/, '-', 'red'],
  [/^No longer wanted/, '-', 'gray'],
  [/^Warnings:/, '!', 'yellow'],
  [/^(Failed|Not done)/, '×', 'red'],
];

/** A plan with colours and marks, for a terminal. */
export function paintPlan(text: string): string {
  let section: (typeof SECTIONS)[number] | undefined;
  return text
    .split('\n')
    .map((line) => {
      const found = SECTIONS.find(([title]) => title.test(line));
      if (found !== undefined || line === '') {
        section = found;
        return line === '' ? line : paint('bold', line);
      }
      if (/^ {2}\S/.test(line) && section !== undefined) {
        const [, mark, style] = section;
        return paint(style, `${mark} ${line.slice(2)}`);
      }
      return paintSigned(line, /^ {6}([-+@])/.exec(line)?.[1] ?? '');
    })
    .join('\n');
}

/** Lines of `diff -u` with the colours that a plan has for them. */
export const paintDiff = (text: string): string =>
  text
    .split('\n')
    .map((line) => (/^(---|\+\+\+) /.test(line) ? paint('bold', line) : paintSigned(line, line.charAt(0))))
    .join('\n');

function paintSigned(line: string, sign: string): string {
  switch (sign) {
    case '+':
      return paint('green', line);
    case '-':
      return paint('red', line);
    case '@':
      return paint('cyan', line);
    default:
      return line;
  }
}

/** What cells of tables and parts of a sentence say where all is well, where something is still to come, and where something is wrong. */
const STATES: readonly (readonly [state: RegExp, style: Style])[] = [
  [/^(Ready|current|none|UpToDate|boot done|machine running|\d+ tasks in \d+ s|\d+ applied)$/, 'green'],
  [
    /^(NeedsUpdate|outdated|no report yet|not checked yet|pending|running, .* tasks done|boot running|no boot report)$/,
    'yellow',
  ],
  [
    /^(NotReady|no Node|no machine|unknown|report unreadable|boot report unreadable|boot failed|API not reached|failed, .*|\d+ failed|\d+ tasks? differs?.*|cloud: .*)$/,
    'red',
  ],
];

function paintState(text: string): string {
  const [, style] = STATES.find(([state]) => state.test(text)) ?? [];
  return style === undefined ? text : paint(style, text);
}

/** Cells of a table that say how a thing is. */
export const paintTable = (text: string): string => text.replace(/\S+(?: \S+)*/g, paintState);

/** Whether a cluster is ready; in the table of what is wrong, the kind of each thing is marked. */
export const paintValidation = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => {
      if (/^Your cluster .* is ready$/.test(line)) return paint('green', line);
      return index === 0 ? paint('bold', line) : line.replace(/^\S+/, (kind) => paint('red', kind));
    })
    .join('\n');

/** How a node is, then what is wrong with it. */
export const paintExplanation = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => {
      if (index === 0) return line.replace(/(?<=: ).*$/, (states) => states.split(', ').map(paintState).join(', '));
      if (line.startsWith('nothing is wrong with ')) return paint('green', line);
      if (line.startsWith('  ')) return line.replace(/(?<=^ {2})Next:/, (word) => paint('bold', word));
      return line === '' ? line : paint('red', line);
    })
    .join('\n');

/** How many machines of each group are outdated, in the last column of a table, and which below it. */
export const paintOutdated = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      if (/^\S+: /.test(line)) return line.replace(/^[^:]+/, (machine) => paint('yellow', machine));
      return line.replace(/(?<= )(Ready|NeedsUpdate)(?= )/, (status) =>
        paint(status === 'Ready' ? 'green' : 'yellow', status),
      );
    })
    .join('\n');

/** `Error:` and `Next:` stand out. */
export const paintProblem = (text: string): string =>
  text.replace(/^Error:/, (word) => paint(['bold', 'red'], word)).replace(/^Next:/m, (word) => paint('bold', word));

/** A bar of this many characters. */
const BAR = 24;

/** How much of a long work is done, and about how long the rest will take. */
export function progressBar(progress: Progress): string {
  const filled = Math.round(shareOf(progress) * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${progressText(progress)}`;
}

/** The same without the bar. The rest is estimated once some time has passed. */
export function progressText({ done, total, what, elapsedMs }: Progress): string {
  const share = shareOf({ done, total });
  const isKnown = done > 0 && share < 1 && elapsedMs > 0;
  const left = isKnown ? `, about ${Math.ceil((elapsedMs / share - elapsedMs) / 1000)} s left` : '';
  return `${done}/${total} ${what}${left}`;
}

const shareOf = ({ done, total }: Pick<Progress, 'done' | 'total'>): number =>
  total === 0 ? 1 : Math.min(1, done / total);

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is counted, e.g. `tasks`. */
  readonly what: string;
  readonly elapsedMs: number;
}

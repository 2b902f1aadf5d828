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
      const [, sign] = /^ {6}([-+@])/.exec(line) ?? [];
      return sign === undefined ? line : paint(sign === '+' ? 'green' : sign === '-' ? 'red' : 'cyan', line);
    })
    .join('\n');
}

/** `Error:` and `Next:` stand out. */
export const paintProblem = (text: string): string =>
  text.replace(/^Error:/, (word) => paint(['bold', 'red'], word)).replace(/^Next:/m, (word) => paint('bold', word));

/** A bar of this many characters. */
const BAR = 24;

/** How much of a long work is done, and about how long the rest will take. */
export function progressBar({ done, total, what, elapsedMs }: Progress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR);
  const left = done === 0 || share === 1 ? '' : `, about ${Math.ceil((elapsedMs / share - elapsedMs) / 1000)} s left`;
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done}/${total} ${what}${left}`;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is counted, e.g. `tasks`. */
  readonly what: string;
  readonly elapsedMs: number;
}

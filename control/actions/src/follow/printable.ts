import { isRecord } from '@kopsctl/tasks/record.ts';

/** Longer texts are cut off: no honest text is that long, and a person reads the beginning. */
const LONGEST = 2000;

/** Characters of C0, DEL and C1, and characters that reverse the direction of a line, so that it reads as something else. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]+/gu;

/**
 * A text that a machine wrote, made fit for a terminal: on one line, of a bounded length, and without control characters,
 * which could move the cursor and overwrite what kopsctl prints.
 */
export function printable(text: string, longest = LONGEST): string {
  const shown = text.replace(CONTROLS, (run) => (/^\s+$/.test(run) ? ' ' : '\ufffd')).trim();
  return shown.length <= longest ? shown : `${shown.slice(0, longest)}…`;
}

/** What the consoles of machines are full of: colours, and lines that also end in a carriage return. */
// oxlint-disable-next-line no-control-regex
const OF_CONSOLES = /\u001b\[[\d;]*m|\r(?=\n)/g;

/** The same for a text of several lines: line breaks and tabs stay, and nothing is cut off. */
export const printableLines = (text: string): string =>
  text.replace(OF_CONSOLES, '').replace(CONTROLS, (run) => run.replace(/[^\n\t]+/gu, '\ufffd'));

/** The same value with every text in it made printable, names of fields included: JSON that another machine has written. */
export function printableTexts<T>(value: T): T;
export function printableTexts(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map((item) => printableTexts(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [printable(key), printableTexts(item)]));
}

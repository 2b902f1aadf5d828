import { paintDiff, paintPlan, paintProblem } from './paint.ts';
import { printableLines } from '@kopsctl/actions/follow/printable.ts';

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

/** What went wrong, for a person or, with `-o json`, for a program. */
export interface Problem {
  readonly message: string;
  readonly next?: string | undefined;
  /** What only a program is told beside these. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** What a command did, or found, for a person or, with `-o json`, for a program. */
export interface Result {
  /** A sentence without a full stop, or lines of text. */
  readonly message: string;
  /** What is different, as `diff -u` prints it. It comes first. */
  readonly patch?: string;
  /** The same as fields, for a program. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** To the beginning of the line, and clears it. */
const CLEAR_LINE = '\r\u001b[K';

/** A person looks at it, and does not want it without colours (no-color.org). */
const isColoured = ({ isTTY }: Output): boolean =>
  isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';

/**
 * The only way to standard output and standard error. Names, messages and events come from machines and clouds, and any
 * of them may hold what moves the cursor of a terminal, or rewrites what stands there.
 */
export function openTerminal(out: Output, err: Output) {
  let narratesJson = false;
  /** What stands in the last line of a terminal, and is written again below each line. */
  let bar = '';
  const hidden = (): string => (bar === '' ? '' : CLEAR_LINE);
  const jsonLine = (to: Output, record: object): void => void to.write(`${JSON.stringify(record)}\n`);
  const writePainted = (text: string, paint: (printable: string) => string): void => {
    if (narratesJson) {
      const message = text.trimEnd();
      if (message !== '') jsonLine(out, { type: 'result', message });
    } else out.write(isColoured(out) ? paint(printableLines(text)) : printableLines(text));
  };
  return {
    /**
     * Whether, from now on, all that is not a document is an object of JSON in a line of its own, with a `type`: `result`
     * on standard output, `note` or `error` on standard error.
     */
    narrateAsJson: (isJson: boolean): void => void (narratesJson = isJson),
    /** A result. */
    writeOut: (text: string): void => writePainted(text, (printable) => printable),
    /** A result that a program gets as fields as well. */
    writeResult: ({ message, patch = '', details }: Result): void => {
      if (narratesJson) return jsonLine(out, { type: 'result', message, ...(patch !== '' && { patch }), ...details });
      writePainted(patch, paintDiff);
      writePainted(`${message}\n`, (printable) => printable);
    },
    /** A result that a palette marks on a terminal. */
    writePainted,
    /** A plan: with colours and marks on a terminal. */
    writePlan: (text: string): void => writePainted(text, paintPlan),
    /** What is different between two texts, as `diff -u` prints it: with colours on a terminal. */
    writeDiff: (text: string): void => writePainted(text, paintDiff),
    /** Narration and notes. A bar that is shown stays below them. */
    writeErr: (text: string): void => {
      if (!narratesJson) err.write(`${hidden()}${printableLines(text)}${bar}`);
      else if (text.trim() !== '') jsonLine(err, { type: 'note', message: text.trimEnd() });
    },
    /** What went wrong. It ends the work of which a bar is shown, and the bar. */
    writeProblem: ({ message, next, details }: Problem): void => {
      if (narratesJson) jsonLine(err, { type: 'error', message, next, ...details });
      else {
        const text = printableLines(`Error: ${message}\n${next === undefined ? '' : `Next:  ${next}\n`}`);
        err.write(`${hidden()}${isColoured(err) ? paintProblem(text) : text}`);
        bar = '';
      }
    },
    /** Shows how much of a long work is done, on a terminal alone; an empty text takes the bar away. */
    showBar: (text: string): void => {
      if (err.isTTY !== true || narratesJson || process.env['TERM'] === 'dumb') return;
      const next = printableLines(text).slice(0, Math.max(0, (err.columns ?? 80) - 1));
      if (next !== bar) err.write(`${hidden()}${next}`);
      bar = next;
    },
    /** JSON or YAML: exactly as it is, unless a person looks at it. */
    writeDocument: (text: string): void => void out.write(out.isTTY === true ? printableLines(text) : text),
  };
}

export const {
  narrateAsJson,
  writeOut,
  writeResult,
  writePainted,
  writePlan,
  writeDiff,
  writeErr,
  writeProblem,
  writeDocument,
  showBar,
} = openTerminal(process.stdout, process.stderr);

/** Ends this program when nothing reads its output any more, as in `kopsctl get … | head`: there is no one left to tell. */
export function endWithReader(): void {
  if (!process.stdout.listeners('error').includes(endWithoutReader)) process.stdout.on('error', endWithoutReader);
}

function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

import { printableLines } from '@kopsctl/actions/follow/printable.ts';

interface Output {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

/** What went wrong, for a person or, with `-o json`, for a program. */
export interface Problem {
  readonly message: string;
  readonly next?: string | undefined;
  /** What only a program is told beside these. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The only way to standard output and standard error. Names, messages and events come from machines and clouds, and any
 * of them may hold what moves the cursor of a terminal, or rewrites what stands there.
 */
export function openTerminal(out: Output, err: Output) {
  let narratesJson = false;
  const jsonLine = (record: object) => err.write(`${JSON.stringify(record)}\n`);
  return {
    /** Whether, from now on, each line on standard error is an object of JSON with a `type`: `note` or `error`. */
    narrateAsJson: (isJson: boolean): void => void (narratesJson = isJson),
    /** A result. */
    writeOut: (text: string): void => void out.write(printableLines(text)),
    /** Narration and notes. */
    writeErr: (text: string): void => {
      if (!narratesJson) err.write(printableLines(text));
      else for (const message of text.split('\n').filter((line) => line !== '')) jsonLine({ type: 'note', message });
    },
    /** What went wrong. */
    writeProblem: ({ message, next, details }: Problem): void => {
      if (narratesJson) jsonLine({ type: 'error', message, next, ...details });
      else err.write(printableLines(`Error: ${message}\n${next === undefined ? '' : `Next:  ${next}\n`}`));
    },
    /** JSON or YAML: exactly as it is, unless a person looks at it. */
    writeDocument: (text: string): void => void out.write(out.isTTY === true ? printableLines(text) : text),
  };
}

export const { narrateAsJson, writeOut, writeErr, writeProblem, writeDocument } = openTerminal(
  process.stdout,
  process.stderr,
);

/** Ends this program when nothing reads its output any more, as in `kopsctl get … | head`: there is no one left to tell. */
export function endWithReader(): void {
  if (!process.stdout.listeners('error').includes(endWithoutReader)) process.stdout.on('error', endWithoutReader);
}

function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

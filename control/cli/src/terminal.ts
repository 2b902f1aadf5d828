import { printableLines } from '@kopsctl/actions/follow/printable.ts';

interface Output {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

/**
 * The only way to standard output and standard error. Names, messages and events come from machines and clouds, and any
 * of them may hold what moves the cursor of a terminal, or rewrites what stands there.
 */
export function openTerminal(out: Output, err: Output) {
  return {
    /** A result. */
    writeOut: (text: string): void => void out.write(printableLines(text)),
    /** Narration, notes and errors. */
    writeErr: (text: string): void => void err.write(printableLines(text)),
    /** JSON or YAML: exactly as it is, unless a person looks at it. */
    writeDocument: (text: string): void => void out.write(out.isTTY === true ? printableLines(text) : text),
  };
}

export const { writeOut, writeErr, writeDocument } = openTerminal(process.stdout, process.stderr);

/** Ends this program when nothing reads its output any more, as in `kopsctl get … | head`: there is no one left to tell. */
export function endWithReader(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

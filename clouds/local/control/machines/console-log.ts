import { closeSync, existsSync, fstatSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';

/** Two files are kept per machine, enough for hundreds of boots. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The serial console of a machine on disk. When the file is full it becomes `<path>.1`, and a new file begins. */
export interface ConsoleLog {
  /** Never throws: what the disk does not take is left out, and the console says so once it takes something again. */
  write(chunk: Buffer): void;
  close(): void;
}

/** @throws if the file cannot be opened */
export function openConsoleLog(path: string, maxBytes = MAX_BYTES): ConsoleLog {
  let fd = openSync(path, 'a', 0o600);
  let whyMissing: string | undefined;

  const beginNext = (): void => {
    // The file is missing if the previous attempt failed after renaming it.
    if (existsSync(path)) renameSync(path, `${path}.1`);
    const next = openSync(path, 'a', 0o600);
    closeSync(fd);
    fd = next;
  };

  return {
    write(chunk) {
      try {
        const { size } = fstatSync(fd);
        if (size + chunk.length > maxBytes && size > 0) beginNext();
        if (whyMissing !== undefined) writeFileSync(fd, `\n[kopsctl: output is missing here: ${whyMissing}]\n`);
        whyMissing = undefined;
        writeFileSync(fd, chunk);
      } catch (error) {
        // On a full disk the machine runs without a console, and so do all others of its cluster.
        whyMissing = messageOf(error);
      }
    },
    close() {
      closeSync(fd);
    },
  };
}

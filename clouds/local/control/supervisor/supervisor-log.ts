import { writeSync } from 'node:fs';

/** Writes to supervisor.log, which is the standard error of this process. A full disk loses lines, and ends no machine. */
export function say(line: string): void {
  try {
    writeSync(process.stderr.fd, `${new Date().toISOString()} ${line}\n`);
  } catch {
    // There is nowhere else to say it.
  }
}

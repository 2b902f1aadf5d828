import { fstatSync } from 'node:fs';

/** What a line is about and how grave it is. Each decision leaves exactly one line that explains it. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** A log whose lines start with this subject. */
  about(subject: string): Log;
}

const STDERR = 2;

/**
 * One line for each message: with the priority prefix of sd-daemon(3) where the journal reads them, which adds the
 * time, and plain where a person does.
 */
export function makeLog(write: (line: string) => void, isJournal: boolean, subject: string): Log {
  const line =
    (priority: number) =>
    (message: string): void =>
      write(`${isJournal ? `<${priority}>` : ''}${subject}: ${message.trimEnd().replaceAll('\n', ' | ')}\n`);
  return {
    info: line(6),
    warn: line(4),
    error: line(3),
    about: (inner) => makeLog(write, isJournal, `${subject} ${inner}`),
  };
}

/** The log of this process. systemd.exec(5): JOURNAL_STREAM is inherited, so it counts only while it is our stderr. */
export function processLog(env: Readonly<Record<string, string | undefined>>, subject: string): Log {
  const { dev, ino } = fstatSync(STDERR);
  return makeLog((line) => process.stderr.write(line), env['JOURNAL_STREAM'] === `${dev}:${ino}`, subject);
}

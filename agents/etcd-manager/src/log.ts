/** What a line is about and how grave it is. Each decision leaves exactly one line that explains it. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** A log whose lines start with this subject. */
  about(subject: string): Log;
}

/** Writes lines with the priority prefix of sd-daemon(3) and neither time nor colour: the journal has both. */
export function journalLog(write: (line: string) => void, subject: string): Log {
  const line =
    (priority: number) =>
    (message: string): void =>
      write(`<${priority}>${subject}: ${message.replaceAll('\n', ' | ')}\n`);
  return {
    info: line(6),
    warn: line(4),
    error: line(3),
    about: (inner) => journalLog(write, `${subject} ${inner}`),
  };
}

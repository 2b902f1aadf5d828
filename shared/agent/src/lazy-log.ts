import type { LogFields } from './log-line.ts';
import type { Log } from './log.ts';

/**
 * A log that is opened when its first line is written. It is for commands that usually write none: pino takes 25 ms of
 * processor time to load. Lines keep their order; they may be written a moment after the call.
 */
export function lazyLog(open: () => Promise<Log>): Log {
  let opening: Promise<Log> | undefined;
  let last: Promise<void> = Promise.resolve();
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    const write = async (before: Promise<void>): Promise<void> => {
      await before;
      (await (opening ??= open()))[level](message, fields);
    };
    last = write(last);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    about: (subject, detail) => lazyLog(async () => (await (opening ??= open())).about(subject, detail)),
  };
}

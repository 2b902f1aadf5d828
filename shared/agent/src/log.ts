import { fstatSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { type LogFields, logLine, withErrorTexts } from './log-line.ts';

/**
 * Where an agent says what it decides; each decision leaves exactly one line that explains it. A message is constant,
 * so that it can be searched for; what differs from line to line is in the fields, and no field holds a secret.
 */
export interface Log {
  /** What is only worth a line to somebody who is looking for a fault; it leaves none unless the log is verbose. */
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose lines begin with this subject, after that of its parent, and that is verbose if it or its parent is. */
  about(subject: string, detail?: 'verbose'): Log;
}

const STDERR = 2;

/** sd-daemon(3): the priority of a line stands before it. */
const PRIORITIES: Readonly<Record<number, string>> = { 20: '<7>', 30: '<6>', 40: '<4>', 50: '<3>' };

/**
 * Writes one line for each message: with its priority where the journal reads it, and without it where a person does.
 * The journal adds time, host and process.
 */
export function makeLog(write: (line: string) => void, isJournal: boolean, subject: string): Log {
  const render = (json: string): string => {
    // pino wrote this text a moment ago, with the options below.
    const entry = JSON.parse(json) as { level: number; subject: string; message: string; fields?: LogFields };
    const priority = isJournal ? (PRIORITIES[entry.level] ?? '') : '';
    return `${priority}${logLine({ ...entry, fields: entry.fields ?? {} })}\n`;
  };
  const logger = pino(
    {
      base: { subject },
      timestamp: false,
      messageKey: 'message',
      nestedKey: 'fields',
      formatters: { log: withErrorTexts },
      hooks: { streamWrite: render },
    },
    { write },
  );
  return logOf(logger, subject);
}

/** The log of this process. systemd.exec(5): JOURNAL_STREAM is inherited, so it counts only while it is our stderr. */
export function processLog(env: Readonly<Record<string, string | undefined>>, subject: string): Log {
  const { dev, ino } = fstatSync(STDERR);
  // Synchronous, so that the line that explains why the process ends is written before it ends.
  const stderr = pino.destination({ fd: STDERR, sync: true });
  return makeLog((line) => stderr.write(line), env['JOURNAL_STREAM'] === `${dev}:${ino}`, subject);
}

function logOf(logger: Logger, subject: string): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    about: (inner, detail) => {
      const whole = `${subject} ${inner}`;
      return logOf(logger.child({ subject: whole }, detail === 'verbose' ? { level: 'debug' } : {}), whole);
    },
  };
}

import { fstatSync } from 'node:fs';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';

/** Priorities of sd-daemon(3). */
type Priority = 3 | 4 | 5 | 6;

export type Log = (priority: Priority, message: string) => void;

const STDERR = 2;

/**
 * Lines for stderr, one for each message: with the priority prefix of sd-daemon(3) where the journal reads them,
 * which adds the time, and plain where a person does.
 */
export function makeLog(write: (line: string) => void, isJournal: boolean): Log {
  return (priority, message) =>
    write(`${isJournal ? `<${priority}>` : ''}nodeup: ${message.trimEnd().replaceAll('\n', ' | ')}\n`);
}

/** The log of this process. systemd.exec(5): JOURNAL_STREAM is inherited, so it counts only while it is our stderr. */
export function processLog(env: NodeJS.ProcessEnv): Log {
  const { dev, ino } = fstatSync(STDERR);
  return makeLog((line) => process.stderr.write(line), env['JOURNAL_STREAM'] === `${dev}:${ino}`);
}

/** One line for each decision. */
export function logEvent(log: Log, event: TaskEvent): void {
  switch (event.type) {
    case 'run-started':
      return log(6, `${event.tasks.length} tasks`);
    case 'step-applied':
      return log(6, `${event.task}: ${event.step.summary}`);
    case 'task-warned':
      return log(4, `${event.task}: ${event.warning}`);
    case 'task-retrying': {
      const again = `attempt ${event.attempt}: ${event.error}; again in ${event.inMs} ms`;
      return log(event.notYet === true ? 6 : 4, `${event.task}: ${again}`);
    }
    case 'task-finished':
      // What is as wanted needs no line: a second run would print a hundred.
      return event.result === 'changed' ? log(6, `${event.task}: done`) : undefined;
    case 'task-failed':
      return log(3, `${event.task}: ${event.error}${event.next === undefined ? '' : `; next: ${event.next}`}`);
    case 'task-skipped':
      return log(4, `${event.task}: not tried: ${event.because}`);
    case 'run-finished':
      return log(event.failed > 0 ? 3 : 5, `${event.changed} changes, ${event.failed} failures`);
    case 'task-started':
    case 'task-planned':
      return undefined;
  }
}

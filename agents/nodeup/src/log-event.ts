import type { Log } from '@kopsctl/agent/log.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';

/** One line for each decision of the engine. */
export function logEvent(log: Log, event: TaskEvent): void {
  switch (event.type) {
    case 'run-started':
      return log.info(`${event.tasks.length} tasks`);
    case 'step-applied':
      return log.info(`${event.task}: ${event.step.summary}`);
    case 'task-warned':
      return log.warn(`${event.task}: ${event.warning}`);
    case 'task-retrying': {
      const again = `${event.task}: attempt ${event.attempt}: ${event.error}; again in ${event.inMs} ms`;
      return event.notYet === true ? log.info(again) : log.warn(again);
    }
    case 'task-finished':
      // What is as wanted needs no line: a second run would print a hundred.
      return event.result === 'changed' ? log.info(`${event.task}: done`) : undefined;
    case 'task-failed':
      return log.error(`${event.task}: ${event.error}${event.next === undefined ? '' : `; next: ${event.next}`}`);
    case 'task-skipped':
      return log.warn(`${event.task}: not tried: ${event.because}`);
    case 'run-finished': {
      const summary = `${event.changed} changes, ${event.failed} failures`;
      return event.failed > 0 ? log.error(summary) : log.info(summary);
    }
    case 'task-started':
    case 'task-planned':
      return undefined;
  }
}

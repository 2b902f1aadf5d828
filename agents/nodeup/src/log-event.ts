import type { Log } from '@kopsctl/agent/log.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';

/** One line for each decision of the engine. */
export function logEvent(log: Log, event: TaskEvent): void {
  switch (event.type) {
    case 'run-started':
      return log.info('run started', { tasks: event.tasks.length });
    case 'step-applied':
      return log.info('step applied', { task: event.task, summary: event.step.summary });
    case 'task-warned':
      return log.warn('task warned', { task: event.task, warning: event.warning });
    case 'task-retrying': {
      const { task, attempt, error, inMs } = event;
      // What has merely not started yet needs nobody's attention.
      return log[event.notYet === true ? 'info' : 'warn']('task failed, will retry', { task, attempt, error, inMs });
    }
    case 'task-finished':
      // An unchanged task leaves no line: a second run would print a hundred.
      return event.result === 'changed' ? log.info('task done', { task: event.task }) : undefined;
    case 'task-failed':
      return log.error('task failed', { task: event.task, error: event.error, next: event.next });
    case 'task-skipped':
      return log.warn('task skipped', { task: event.task, because: event.because });
    case 'run-finished': {
      const { changed, failed } = event;
      return log[failed > 0 ? 'error' : 'info']('run finished', { changed, failed });
    }
    case 'task-started':
    case 'task-planned':
      return undefined;
  }
}

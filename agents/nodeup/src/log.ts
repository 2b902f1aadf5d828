import type { TaskEvent } from '@kopsctl/tasks/event.ts';

/** One line for each decision, with the priority prefix of sd-daemon(3); the journal adds the time. */
export function logEvent(event: TaskEvent): void {
  const line = describe(event);
  if (line !== undefined) process.stderr.write(`${line.replaceAll('\n', ' | ')}\n`);
}

function describe(event: TaskEvent): string | undefined {
  switch (event.type) {
    case 'run-started':
      return `<6>nodeup: ${event.tasks.length} tasks`;
    case 'step-applied':
      return `<6>nodeup: ${event.task}: ${event.step.summary}`;
    case 'task-warned':
      return `<4>nodeup: ${event.task}: ${event.warning}`;
    case 'task-retrying':
      return `<${event.notYet === true ? 6 : 4}>nodeup: ${event.task}: attempt ${event.attempt}: ${event.error}; again in ${event.inMs} ms`;
    case 'task-finished':
      return event.result === 'changed' ? `<6>nodeup: ${event.task}: done` : undefined;
    case 'task-failed':
      return `<3>nodeup: ${event.task}: ${event.error}${event.next === undefined ? '' : `; next: ${event.next}`}`;
    case 'task-skipped':
      return `<4>nodeup: ${event.task}: not tried: ${event.because}`;
    case 'run-finished':
      return `<${event.failed > 0 ? 3 : 5}>nodeup: ${event.changed} changes, ${event.failed} failures`;
    case 'task-started':
    case 'task-planned':
      return undefined;
  }
}

import type { Progress } from '@kopsctl/actions/follow/follow-cluster.ts';
import type { TaskEvent } from '@kopsctl/tasks/event.ts';

/** Tasks of a machine that took less are not worth a line of their own, unless they failed. */
const WORTH_TELLING_MS = 400;

/** A time since the start, in a column. */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;

/** One line about a task of the control side, or undefined where there is nothing to tell. */
export function describeTaskEvent(event: TaskEvent, startedMs: number): string | undefined {
  switch (event.type) {
    case 'step-applied':
      return `${seconds(event.atMs - startedMs)}  ${event.task}: ${event.step.summary}`;
    case 'task-warned':
      return `${seconds(event.atMs - startedMs)}  ${event.task}: warning: ${event.warning}`;
    case 'task-retrying':
      return `${seconds(event.atMs - startedMs)}  ${event.task}: ${event.error}; trying again in ${event.inMs} ms`;
    case 'task-failed':
      return `${seconds(event.atMs - startedMs)}  ${event.task}: failed: ${event.error}${event.next === undefined ? '' : `\n          Next: ${event.next}`}`;
    case 'task-skipped':
      return `${seconds(event.atMs - startedMs)}  ${event.task}: not tried: ${event.because}`;
    case 'run-started':
    case 'task-started':
    case 'task-planned':
    case 'task-finished':
    case 'run-finished':
      return undefined;
  }
}

/** One line about what happens on the machines. */
export function describeProgress(progress: Progress, sinceStartMs: number): string | undefined {
  const at = seconds(sinceStartMs);
  switch (progress.type) {
    case 'machine-task': {
      if (progress.error !== undefined) {
        return `${at}  ${progress.machine}  ${progress.task}: ${progress.result}: ${progress.error}${progress.hint === undefined ? '' : `\n          Next: ${progress.hint}`}`;
      }
      if (progress.durationMs < WORTH_TELLING_MS) return undefined;
      return `${at}  ${progress.machine}  ${progress.task}: ${progress.result} (${(progress.durationMs / 1000).toFixed(1)} s)`;
    }
    case 'machine-converged':
      return `${at}  ${progress.machine}  nodeup ${progress.result}: ${progress.tasks} tasks`;
    case 'report-unreadable':
      return `${at}  ${progress.machine}  its boot report cannot be read: ${progress.why}`;
    case 'api-answers':
      return `${at}  the Kubernetes API answers`;
    case 'wrong':
      return `${at}  ${describeWrong(progress.failures)}`;
    case 'node-ready':
      return `${at}  ${progress.machine}  Ready`;
  }
}

/** As much of what is wrong as a line holds. */
const WORTH_NAMING = 2;

function describeWrong(failures: readonly string[]): string {
  if (failures.length === 0) return 'valid; checking again';
  const rest = failures.length - WORTH_NAMING;
  return `not valid yet: ${failures.slice(0, WORTH_NAMING).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

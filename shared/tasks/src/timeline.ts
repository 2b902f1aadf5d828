import type { TaskEvent } from './event.ts';
import type { TaskId } from './task.ts';

/** How one task of a run went, for the boot report and the timeline. Times are Unix milliseconds. */
export interface TimelineEntry {
  readonly task: TaskId;
  readonly startMs: number;
  readonly durationMs: number;
  readonly attempts: number;
  readonly result: 'running' | 'unchanged' | 'changed' | 'planned' | 'failed' | 'skipped';
  readonly error?: string;
  readonly hint?: string;
  readonly warnings: readonly string[];
}

/** How each task went, in the order in which they started. Tasks that have not started are left out. */
export function timeline(events: readonly TaskEvent[]): readonly TimelineEntry[] {
  const entries = new Map<TaskId, TimelineEntry>();
  for (const event of events) {
    if (event.type === 'run-started' || event.type === 'run-finished') continue;
    const before = entries.get(event.task) ?? begin(event.task, event.atMs);
    entries.set(event.task, follow(before, event));
  }
  return [...entries.values()];
}

function begin(task: TaskId, startMs: number): TimelineEntry {
  return { task, startMs, durationMs: 0, attempts: 0, result: 'running', warnings: [] };
}

function follow(entry: TimelineEntry, event: Extract<TaskEvent, { readonly task: TaskId }>): TimelineEntry {
  const now = { ...entry, durationMs: event.atMs - entry.startMs };
  switch (event.type) {
    case 'task-started':
      return { ...now, attempts: event.attempt };
    case 'task-warned':
      return { ...now, warnings: [...entry.warnings, event.warning] };
    case 'task-retrying':
      return { ...now, error: event.error };
    case 'task-finished': {
      const { error: _, ...rest } = now;
      return { ...rest, attempts: event.attempts, result: event.result };
    }
    case 'task-failed':
      return {
        ...now,
        attempts: event.attempts,
        result: 'failed',
        error: event.error,
        ...(event.next === undefined ? {} : { hint: event.next }),
      };
    case 'task-skipped':
      return { ...now, result: 'skipped', error: event.because };
    case 'task-planned':
    case 'step-applied':
      break;
  }
  return now;
}

/**
 * The chain of tasks that decided when the run ended, first to last: the task that ended last, before it the one of its
 * needs that ended last, and so on.
 */
export function criticalPath(
  entries: readonly TimelineEntry[],
  needsOf: (task: TaskId) => readonly TaskId[],
): readonly TimelineEntry[] {
  const byTask = new Map(entries.map((entry) => [entry.task, entry]));
  const path: TimelineEntry[] = [];
  let next = lastToEnd(entries);
  while (next !== undefined && !path.includes(next)) {
    path.unshift(next);
    next = lastToEnd(needsOf(next.task).flatMap((need) => byTask.get(need) ?? []));
  }
  return path;
}

function lastToEnd(entries: readonly TimelineEntry[]): TimelineEntry | undefined {
  return entries.reduce<TimelineEntry | undefined>((last, entry) => {
    return last === undefined || endMs(entry) > endMs(last) ? entry : last;
  }, undefined);
}

function endMs({ startMs, durationMs }: TimelineEntry): number {
  return startMs + durationMs;
}

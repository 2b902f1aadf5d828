import type { Step, TaskId } from './task.ts';

/**
 * Every state change of a run. Progress bars, logs, the boot report and the timeline are
 * consumers of this one stream. `atMs` is Unix time in milliseconds.
 */
export type TaskEvent =
  | { readonly type: 'run-started'; readonly atMs: number; readonly tasks: readonly TaskId[] }
  | { readonly type: 'task-started'; readonly atMs: number; readonly task: TaskId; readonly attempt: number }
  | { readonly type: 'task-planned'; readonly atMs: number; readonly task: TaskId; readonly steps: readonly Step[] }
  | { readonly type: 'step-applied'; readonly atMs: number; readonly task: TaskId; readonly step: Step }
  | { readonly type: 'task-warned'; readonly atMs: number; readonly task: TaskId; readonly warning: string }
  | {
      readonly type: 'task-retrying';
      readonly atMs: number;
      readonly task: TaskId;
      readonly attempt: number;
      readonly error: string;
      readonly inMs: number;
      /** Not a failure: what the task waits for is not there yet. */
      readonly notYet?: true;
    }
  | {
      readonly type: 'task-finished';
      readonly atMs: number;
      readonly task: TaskId;
      readonly result: 'unchanged' | 'changed' | 'planned';
      readonly attempts: number;
    }
  | {
      readonly type: 'task-failed';
      readonly atMs: number;
      readonly task: TaskId;
      readonly error: string;
      readonly next?: string;
      readonly attempts: number;
    }
  /** Not tried, because something it needs failed or the run was cancelled. */
  | { readonly type: 'task-skipped'; readonly atMs: number; readonly task: TaskId; readonly because: string }
  | { readonly type: 'run-finished'; readonly atMs: number; readonly changed: number; readonly failed: number };

import type { Owned, Step, TaskId } from './task.ts';

/** How one task ended. `steps`: those planned, or in an apply those carried out. */
export interface TaskResult {
  readonly id: TaskId;
  readonly result: 'unchanged' | 'changed' | 'planned' | 'failed' | 'skipped';
  /** Whether the thing existed before the run; absent when that is not known. */
  readonly existed?: boolean;
  readonly steps: readonly Step[];
  readonly attempts: number;
  /** Unix time; absent when the task never started. */
  readonly startMs?: number;
  readonly endMs?: number;
  readonly error?: string;
  readonly hint?: string;
  readonly warnings: readonly string[];
}

/** Something of ours that is no longer wanted. `kept`: found, but the run was not asked to remove it. */
export interface Deletion {
  readonly id: TaskId;
  readonly kind: string;
  readonly owned: Owned;
  readonly result: 'planned' | 'kept' | 'removed' | 'failed' | 'skipped';
  readonly error?: string;
  readonly hint?: string;
}

export interface RunResult {
  readonly mode: 'plan' | 'apply';
  /** In graph order, whatever the order in which they ended. */
  readonly tasks: readonly TaskResult[];
  /** In the order of removal. */
  readonly deletions: readonly Deletion[];
  /** Tasks and deletions that changed something, or would in an apply. 0 = everything is as wanted. */
  readonly changed: number;
  readonly failed: number;
  readonly cancelled: boolean;
}

import type { Task, TaskId } from '@kopsctl/tasks/task.ts';

/** Something that a cloud adds to the plan of a machine. */
export interface MachinePart {
  readonly tasks: readonly Task[];
  /** Those of its tasks that must be done before what needs the part starts. */
  readonly awaited: readonly TaskId[];
}

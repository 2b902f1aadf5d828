import { type Task, taskId } from '@kopsctl/tasks/task.ts';

/**
 * Several builders may want the same task: it is returned once.
 *
 * @throws if they want it with different props, which is a bug
 */
export function distinct(tasks: readonly Task[]): readonly Task[] {
  const seen = new Map<string, Task>();
  for (const task of tasks) {
    const id = taskId(task);
    const known = seen.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(task)) {
      throw new Error(`two builders want different props for ${id}`);
    }
    seen.set(id, task);
  }
  return [...seen.values()];
}

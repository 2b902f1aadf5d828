import { refsIn } from '@kopsctl/tasks/references.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';

/**
 * The tasks of a cluster that are left when only some of its groups are applied: those of these groups, and what all groups
 * share, which still knows of the others. Pure.
 *
 * @param some the tasks that the cluster would have if it had no other groups
 */
export function tasksOfGroups(all: readonly Task[], some: readonly Task[]): readonly Task[] {
  const byId = new Map(all.map((task) => [taskId(task), task]));
  const kept = new Set<string>();
  const keep = (id: string): void => {
    const task = byId.get(id as ReturnType<typeof taskId>);
    if (task === undefined || kept.has(id)) return;
    kept.add(id);
    for (const { ref } of refsIn(task.props)) keep(ref);
  };
  for (const task of some) keep(taskId(task));
  return all.filter((task) => kept.has(taskId(task)));
}

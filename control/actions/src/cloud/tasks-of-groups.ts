import { refsIn } from '@kopsctl/tasks/references.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';

/**
 * The tasks that can be done where only machines of some groups are made: all but those that need machines of other groups,
 * such as a load balancer in front of them. Pure.
 *
 * @param tasks those of the machines of these groups, and what all groups share
 */
export function tasksOfGroups(tasks: readonly Task[]): readonly Task[] {
  const byId = new Map<string, Task>(tasks.map((task) => [taskId(task), task]));
  const answers = new Map<string, boolean>();
  const isDoable = (id: string): boolean => {
    const known = answers.get(id);
    if (known !== undefined) return known;
    // A circle is told by whoever makes the graph.
    answers.set(id, true);
    const task = byId.get(id);
    const answer = task !== undefined && refsIn(task.props).every(({ ref }) => isDoable(ref));
    answers.set(id, answer);
    return answer;
  };
  return tasks.filter((task) => isDoable(taskId(task)));
}

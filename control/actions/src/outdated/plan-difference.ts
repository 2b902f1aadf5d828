import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { differences } from '@kopsctl/tasks/differences.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';

/** A task of a node plan that another plan lacks, has in addition, or has with other properties. */
export interface TaskDifference {
  readonly task: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The paths of the properties that differ; only of a changed task. */
  readonly fields: readonly string[];
}

/** What a machine would have to change to be what another plan says, task by task: files, units, packages, images. Pure. */
export function planDifference(from: Pick<NodePlan, 'tasks'>, to: Pick<NodePlan, 'tasks'>): readonly TaskDifference[] {
  const [before, after] = [byId(from.tasks), byId(to.tasks)];
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return ids.flatMap((task): readonly TaskDifference[] => {
    const [old, wanted] = [before.get(task), after.get(task)];
    if (wanted === undefined) return [{ task, change: 'removed', fields: [] }];
    if (old === undefined) return [{ task, change: 'added', fields: [] }];
    const fields = differences(wanted.props, old.props).map(({ path }) => path);
    return fields.length === 0 ? [] : [{ task, change: 'changed', fields }];
  });
}

const byId = (tasks: readonly Task[]): ReadonlyMap<string, Task> => new Map(tasks.map((task) => [taskId(task), task]));

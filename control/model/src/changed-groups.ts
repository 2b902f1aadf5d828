import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { TaskResult } from '@kopsctl/tasks/run-result.ts';
import type { Step, TaskId } from '@kopsctl/tasks/task.ts';

/** What the machines of a group are made from, in a cloud that makes them from templates. */
export interface TemplateRules {
  /** The tasks that decide which template a group has. */
  readonly tasksOf: (group: InstanceGroup) => readonly TaskId[];
  /** Whether a step of such a task gives the group another template. */
  readonly changesTemplate: (step: Step) => boolean;
}

/** The names of the instance groups that get another template by a plan. Pure. */
export function changedGroups(
  instanceGroups: readonly InstanceGroup[],
  planned: readonly Pick<TaskResult, 'id' | 'steps'>[],
  { tasksOf, changesTemplate }: TemplateRules,
): ReadonlySet<string> {
  const changed = new Set<string>(planned.filter(({ steps }) => steps.some(changesTemplate)).map(({ id }) => id));
  const groups = instanceGroups.filter((group) => tasksOf(group).some((id) => changed.has(id)));
  return new Set(groups.map(({ metadata }) => metadata.name));
}

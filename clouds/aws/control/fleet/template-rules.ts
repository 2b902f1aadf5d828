import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { TaskResult } from '@kopsctl/tasks/run-result.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { autoscalingGroupName } from '../model/group-names.ts';

/**
 * The instance groups whose launch templates get another version by a plan. One that only has other tags itself launches the
 * same machines. Pure.
 */
export function changedGroups(
  clusterName: string,
  instanceGroups: readonly InstanceGroup[],
  planned: readonly Pick<TaskResult, 'id' | 'steps'>[],
): ReadonlySet<string> {
  const changed = new Set<string>(
    planned
      .filter(({ steps }) =>
        steps.some(({ changes }) => changes?.every(({ path }) => path.startsWith('tags')) !== true),
      )
      .map(({ id }) => id),
  );
  const own = instanceGroups.filter((group) =>
    changed.has(taskId({ kind: 'aws/LaunchTemplate', name: autoscalingGroupName({ clusterName }, group) })),
  );
  return new Set(own.map(({ metadata }) => metadata.name));
}

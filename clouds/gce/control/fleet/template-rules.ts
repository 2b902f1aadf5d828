import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { TaskResult } from '@kopsctl/tasks/run-result.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { managedGroupName } from '../names.ts';

/**
 * The instance groups of which a managed group gets another template by a plan, whether that template is there already or
 * not. Pure.
 */
export function changedGroups(
  clusterName: string,
  instanceGroups: readonly InstanceGroup[],
  planned: readonly Pick<TaskResult, 'id' | 'steps'>[],
): ReadonlySet<string> {
  const changed = new Set<string>(
    planned
      .filter(({ steps }) => steps.some(({ changes = [] }) => changes.some(({ path }) => path.startsWith('templates'))))
      .map(({ id }) => id),
  );
  const idIn = (group: string, zone: string) =>
    taskId({ kind: 'gce/InstanceGroupManager', name: managedGroupName(group, zone, clusterName) });
  const own = instanceGroups.filter(({ metadata, spec }) =>
    (spec.zones ?? []).some((zone) => changed.has(idIn(metadata.name, zone))),
  );
  return new Set(own.map(({ metadata }) => metadata.name));
}

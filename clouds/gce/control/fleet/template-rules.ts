import type { TemplateRules } from '@kopsctl/model/changed-groups.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { managedGroupName } from '../names.ts';

/** A group has a managed group in each zone, which names its template, whether that template is there already or not. */
export const templateRules = (clusterName: string): TemplateRules => ({
  tasksOf: ({ metadata, spec }) =>
    (spec.zones ?? []).map((zone) =>
      taskId({ kind: 'gce/InstanceGroupManager', name: managedGroupName(metadata.name, zone, clusterName) }),
    ),
  changesTemplate: ({ changes = [] }) => changes.some(({ path }) => path.startsWith('templates')),
});

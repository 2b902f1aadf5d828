import type { TemplateRules } from '@kopsctl/model/changed-groups.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { autoscalingGroupName } from '../model/group-names.ts';

/** A group has a launch template. One that only has other tags itself launches the same machines. */
export const templateRules = (clusterName: string): TemplateRules => ({
  tasksOf: (group) => [taskId({ kind: 'aws/LaunchTemplate', name: autoscalingGroupName({ clusterName }, group) })],
  changesTemplate: ({ changes }) => changes?.every(({ path }) => path.startsWith('tags')) !== true,
});

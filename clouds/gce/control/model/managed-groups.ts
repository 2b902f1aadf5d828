import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { sizesByZone } from '../group-sizes.ts';
import { isAutoscaled } from '../is-autoscaled.ts';
import { managedGroupName } from '../names.ts';
import { apiTargetPools } from './api-load-balancer.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask, outputOf } from './gce-task.ts';
import { templateTask } from './instance-template.ts';

/** A managed instance group in each zone of an instance group. */
export function managedGroups(context: GceContext, group: InstanceGroup): readonly Task[] {
  const { zones = [] } = group.spec;
  const minSize = completedValue('spec.minSize', group.spec.minSize);
  const maxSize = completedValue('spec.maxSize', group.spec.maxSize);
  const sizes = sizesByZone(minSize, zones);
  const largest = sizesByZone(Math.max(minSize, maxSize), zones);
  return [...sizes].map(([zone, targetSize]) => {
    const name = managedGroupName(group.metadata.name, zone, context.facts.clusterName);
    return gceTask('gce/InstanceGroupManager', name, {
      name,
      zone,
      template: outputOf('gce/InstanceTemplate', templateTask(context, group), 'link'),
      baseInstanceName: group.metadata.name,
      targetSize,
      largestSize: largest.get(zone) ?? targetSize,
      isScaledByOthers: isAutoscaled(context.facts, group),
      targetPools: apiTargetPools(context, group),
    });
  });
}

import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { LaunchHook } from '@kopsctl/node-plan/node-plan.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { mayBeWarmed } from '../machine-rules.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { autoscalingGroupName, isScaledByAws } from './group-names.ts';

/** The warm pool of a group; a maxSize of 0 disables it. */
export function warmPoolOf(group: InstanceGroup): { readonly minSize: number; readonly maxSize?: number } | undefined {
  const { warmPool } = group.spec;
  if (!mayBeWarmed(group) || !isScaledByAws(group) || warmPool === undefined || warmPool.maxSize === 0)
    return undefined;
  const { minSize, maxSize } = warmPool;
  return { minSize: completedValue('spec.warmPool.minSize', minSize), ...(maxSize === undefined ? {} : { maxSize }) };
}

export const hasWarmPool = (group: InstanceGroup): boolean => warmPoolOf(group) !== undefined;

/** kops's name of it. */
const HOOK = 'kops-warmpool';

/** Whether the auto-scaling group waits for nodeup on a new machine. */
export const hasLaunchHook = (group: InstanceGroup): boolean =>
  hasWarmPool(group) && group.spec.warmPool?.enableLifecycleHook === true;

/** The hook by which the auto-scaling group waits for nodeup on a new machine. */
export const launchHook = (facts: Pick<ClusterFacts, 'clusterName'>, group: InstanceGroup): LaunchHook | undefined =>
  hasLaunchHook(group) ? { group: autoscalingGroupName(facts, group), hook: HOOK } : undefined;

/** Delays a launching machine until nodeup has finished. */
export function warmPoolHooks({ facts, groups }: AwsContext): readonly Task[] {
  return groups
    .filter((group) => hasLaunchHook(group))
    .map((group) => {
      const scalingGroup = autoscalingGroupName(facts, group);
      return awsTask('aws/LifecycleHook', `kops-warmpool-${group.metadata.name}`, {
        name: HOOK,
        group: outputOf('aws/AutoscalingGroup', scalingGroup, 'name'),
        transition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        defaultResult: 'ABANDON',
        heartbeatSeconds: completedValue(
          'spec.warmPool.lifecycleHookTimeout',
          group.spec.warmPool?.lifecycleHookTimeout,
        ),
      });
    });
}

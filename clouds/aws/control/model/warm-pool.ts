import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { autoscalingGroupName } from './group-names.ts';

/**
 * Seconds that a machine may take to become ready for the pool; kops's default
 * (pkg/model/awsmodel/autoscalinggroup.go).
 */
const HOOK_SECONDS = 600;

/** The warm pool of a group, from its own spec or from the cluster's for all workers; a maxSize of 0 disables it. */
export function warmPoolOf(
  { spec }: ClusterFacts,
  group: InstanceGroup,
): { readonly minSize: number; readonly maxSize?: number } | undefined {
  if (roleOf(group) !== 'Node') return undefined;
  const wish = { ...spec.warmPool, ...group.spec.warmPool };
  if ((spec.warmPool ?? group.spec.warmPool) === undefined || wish.maxSize === 0) return undefined;
  return { minSize: wish.minSize ?? 0, ...(wish.maxSize === undefined ? {} : { maxSize: wish.maxSize }) };
}

/** Delays a launching machine until nodeup has finished. */
export function warmPoolHooks({ facts, groups }: AwsContext): readonly Task[] {
  return groups
    .filter((group) => {
      const wish = { ...facts.spec.warmPool, ...group.spec.warmPool };
      return warmPoolOf(facts, group) !== undefined && wish.enableLifecycleHook === true;
    })
    .map((group) => {
      const scalingGroup = autoscalingGroupName(facts, group);
      return awsTask('aws/LifecycleHook', `kops-warmpool-${group.metadata.name}`, {
        name: 'kops-warmpool',
        group: outputOf('aws/AutoscalingGroup', scalingGroup, 'name'),
        transition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        defaultResult: 'ABANDON',
        heartbeatSeconds: group.spec.warmPool?.lifecycleHookTimeout ?? HOOK_SECONDS,
      });
    });
}

import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { autoscalingGroupName } from './group-names.ts';

/** kops's default (pkg/model/awsmodel/autoscalinggroup.go): seconds a machine has to get ready for the pool. */
const HOOK_SECONDS = 600;

/** The machines that a group keeps ready, by its own wish or by the cluster's for all workers; a maxSize of 0 is none. */
export function warmPoolOf(
  { spec }: ClusterFacts,
  group: InstanceGroup,
): { readonly minSize: number; readonly maxSize?: number } | undefined {
  if (roleOf(group) !== 'Node') return undefined;
  const wish = { ...spec.warmPool, ...group.spec.warmPool };
  if ((spec.warmPool ?? group.spec.warmPool) === undefined || wish.maxSize === 0) return undefined;
  return { minSize: wish.minSize ?? 0, ...(wish.maxSize === undefined ? {} : { maxSize: wish.maxSize }) };
}

/** Makes a launching machine wait until it has put itself in order. */
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

import {
  type AutoScalingGroup,
  AttachLoadBalancersCommand,
  AttachLoadBalancerTargetGroupsCommand,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DeleteWarmPoolCommand,
  DetachLoadBalancersCommand,
  DetachLoadBalancerTargetGroupsCommand,
  PutWarmPoolCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Tags, tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import type { AwsCloud } from './aws-cloud.ts';

type GroupProps = PropsOf<'aws/AutoscalingGroup'>;

const missing = (wanted: readonly string[], there: readonly string[]) => wanted.filter((one) => !there.includes(one));

/** Attaches a group to the target groups that it lacks, and detaches it from the others. */
export async function moveTargetGroups(
  props: GroupProps,
  { TargetGroupARNs: there = [] }: AutoScalingGroup,
  aws: AwsCloud,
) {
  const AutoScalingGroupName = props.name;
  const [added, gone] = [missing(props.targetGroups, there), missing(there, props.targetGroups)];
  if (added.length > 0) {
    await aws.autoScaling.send(
      new AttachLoadBalancerTargetGroupsCommand({ AutoScalingGroupName, TargetGroupARNs: added }),
    );
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(
      new DetachLoadBalancerTargetGroupsCommand({ AutoScalingGroupName, TargetGroupARNs: gone }),
    );
  }
}

/** The same for classic load balancers. */
export async function moveLoadBalancers(
  props: GroupProps,
  { LoadBalancerNames: there = [] }: AutoScalingGroup,
  aws: AwsCloud,
) {
  const AutoScalingGroupName = props.name;
  const added = missing(props.classicLoadBalancers, there);
  const gone = missing(there, props.classicLoadBalancers);
  if (added.length > 0) {
    await aws.autoScaling.send(new AttachLoadBalancersCommand({ AutoScalingGroupName, LoadBalancerNames: added }));
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(new DetachLoadBalancersCommand({ AutoScalingGroupName, LoadBalancerNames: gone }));
  }
}

/** Suspends the processes of a group that are to be suspended, and resumes the others. */
export async function suspend(props: GroupProps, { SuspendedProcesses = [] }: AutoScalingGroup, aws: AwsCloud) {
  const AutoScalingGroupName = props.name;
  const there = SuspendedProcesses.flatMap(({ ProcessName }) => ProcessName ?? []);
  const added = missing(props.suspendedProcesses, there);
  const gone = missing(there, props.suspendedProcesses);
  if (added.length > 0) {
    await aws.autoScaling.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: added }));
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses: gone }));
  }
}

/** Sets the size of a group's warm pool; without one, deletes it together with its machines. */
export async function setWarmPool({ name: AutoScalingGroupName, warmPool }: GroupProps, aws: AwsCloud) {
  await (warmPool === undefined
    ? aws.autoScaling.send(new DeleteWarmPoolCommand({ AutoScalingGroupName, ForceDelete: true }))
    : aws.autoScaling.send(
        new PutWarmPoolCommand({
          AutoScalingGroupName,
          MinSize: warmPool.minSize,
          MaxGroupPreparedCapacity: warmPool.maxSize ?? -1,
        }),
      ));
}

/** The tags of a group as AWS takes them. Its machines get them too. */
export const groupTags = ({ name, tags }: GroupProps) =>
  Object.entries(tags).map(([Key, Value]) => ({ ...tagOf(name, Key), Value, PropagateAtLaunch: true }));

const tagOf = (group: string, Key: string) => ({ Key, ResourceId: group, ResourceType: 'auto-scaling-group' });

/** The tags of a group, without those that AWS gives it, e.g. for a stack: nobody can change these. */
export const removableTags = ({ Tags = [] }: AutoScalingGroup): Tags =>
  tagsOf(Tags.filter(({ Key = '' }) => !Key.startsWith('aws:')));

/**
 * Gives a group exactly the wanted tags, as kops does (awstasks/autoscalinggroup.go). An autoscaler takes them for what
 * new machines have: a label or taint that machines no longer get must not stay.
 */
export async function setTags(props: GroupProps, group: AutoScalingGroup, aws: AwsCloud) {
  const gone = missing(Object.keys(removableTags(group)), Object.keys(props.tags));
  if (gone.length > 0) {
    await aws.autoScaling.send(new DeleteTagsCommand({ Tags: gone.map((key) => tagOf(props.name, key)) }));
  }
  await aws.autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: groupTags(props) }));
}

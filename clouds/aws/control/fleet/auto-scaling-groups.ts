import {
  type AutoScalingGroup,
  type Instance,
  paginateDescribeAutoScalingGroups,
  paginateDescribeWarmPool,
} from '@aws-sdk/client-auto-scaling';
import { CLUSTER_TAG } from '../../node/ownership.ts';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { unlessGone } from '../handlers/unless-gone.ts';

type Asked = Pick<AwsCloud, 'autoScaling' | 'clusterName'>;

/** The auto-scaling groups of the cluster with all of their machines: AWS lists those of warm pools apart. */
export async function autoScalingGroups(aws: Asked): Promise<readonly AutoScalingGroup[]> {
  const found: AutoScalingGroup[] = [];
  const Filters = [{ Name: `tag:${CLUSTER_TAG}`, Values: [aws.clusterName] }];
  for await (const page of paginateDescribeAutoScalingGroups({ client: aws.autoScaling }, { Filters })) {
    found.push(...(page.AutoScalingGroups ?? []));
  }
  return Promise.all(found.map(async (group) => withWarmPool(group, aws)));
}

async function withWarmPool(group: AutoScalingGroup, aws: Asked): Promise<AutoScalingGroup> {
  if (group.WarmPoolConfiguration === undefined) return group;
  const { Instances = [], AutoScalingGroupName } = group;
  // Meanwhile a machine may have gone from one list to the other.
  const known = new Set(Instances.map(({ InstanceId }) => InstanceId));
  const warm = (await unlessGone(warmPool(AutoScalingGroupName, aws))) ?? [];
  return { ...group, Instances: [...Instances, ...warm.filter(({ InstanceId }) => !known.has(InstanceId))] };
}

async function warmPool(AutoScalingGroupName: string | undefined, { autoScaling }: Asked): Promise<Instance[]> {
  const found: Instance[] = [];
  for await (const page of paginateDescribeWarmPool({ client: autoScaling }, { AutoScalingGroupName })) {
    found.push(...(page.Instances ?? []));
  }
  return found;
}

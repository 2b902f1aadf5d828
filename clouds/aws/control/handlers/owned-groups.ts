import { type AutoScalingGroup, paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import { ownershipTag } from '../../node/ownership.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isOwned } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';

/** The auto-scaling groups of the cluster. */
export async function ownedGroups(aws: AwsCloud): Promise<readonly AutoScalingGroup[]> {
  const Filters = [{ Name: `tag:${ownershipTag(aws.clusterName)}`, Values: ['owned'] }];
  const found: AutoScalingGroup[] = [];
  for await (const page of paginateDescribeAutoScalingGroups({ client: aws.autoScaling }, { Filters })) {
    found.push(...(page.AutoScalingGroups ?? []));
  }
  return found.filter(({ Tags }) => isOwned(aws, tagsOf(Tags)));
}

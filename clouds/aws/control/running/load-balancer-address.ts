import { DescribeLoadBalancersCommand, DescribeTagsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { explained, isNotFound } from '../handlers/aws-error.ts';
import { isOfCluster } from '../../node/instances.ts';
import { tagsOf } from '../../node/tag-list.ts';

/** The DNS name of the cluster's load balancer with that name; undefined if it does not exist. */
export async function loadBalancerAddress(
  aws: AwsCloud,
  name: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const until = signal === undefined ? {} : { abortSignal: signal };
  try {
    const { LoadBalancers = [] } = await aws.loadBalancing.send(
      new DescribeLoadBalancersCommand({ Names: [name] }),
      until,
    );
    const found = LoadBalancers.find(({ LoadBalancerName }) => LoadBalancerName === name);
    if (found?.LoadBalancerArn === undefined) return undefined;
    const ResourceArns = [found.LoadBalancerArn];
    const { TagDescriptions = [] } = await aws.loadBalancing.send(new DescribeTagsCommand({ ResourceArns }), until);
    const tags = tagsOf(TagDescriptions.find(({ ResourceArn }) => ResourceArn === found.LoadBalancerArn)?.Tags);
    return isOfCluster(aws.clusterName, tags) ? found.DNSName : undefined;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw explained(thrown, `find the load balancer ${name}`);
  }
}

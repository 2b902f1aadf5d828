import {
  type Instance,
  paginateDescribeInstances,
  paginateDescribeNetworkInterfaces,
  DeleteNetworkInterfaceCommand,
  DeleteTagsCommand,
  paginateDescribeSubnets,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  DeleteLoadBalancerCommand,
  DescribeTagsCommand,
  paginateDescribeLoadBalancers,
} from '@aws-sdk/client-elastic-load-balancing';
import { NotYet } from '@kopsctl/tasks/failure.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { ownershipTag } from '../../node/ownership.ts';
import type { AwsCloud, AwsEnv } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { isOwned, ownedFilters } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';

/** A kind that no task describes: its resources are only deleted, together with the whole cluster. */
function leftover(kind: string, noun: string, rest: Pick<Handler<AwsEnv>, 'listOwned' | 'remove'>): Handler<AwsEnv> {
  const refuse = () => {
    throw new Error(`a ${noun} is not made by a task`);
  };
  return { kind, parse: refuse, find: refuse, plan: refuse, apply: refuse, ...rest };
}

async function instances(aws: AwsCloud, input: Parameters<typeof paginateDescribeInstances>[1]) {
  const found: Instance[] = [];
  for await (const page of paginateDescribeInstances({ client: aws.ec2 }, input)) {
    found.push(...(page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances));
  }
  return found.filter(({ State }) => State?.Name !== 'terminated');
}

/** Machines outside the auto-scaling groups of the cluster, such as those of Karpenter. */
export const instanceHandler = leftover('aws/Instance', 'machine', {
  async listOwned({ aws }) {
    if (!aws.everything) return [];
    const found = await instances(aws, { Filters: ownedFilters(aws) });
    return found
      .filter(({ Tags }) => isOwned(aws, tagsOf(Tags)))
      .map(({ InstanceId = '', Tags }) => ({
        name: InstanceId,
        description: `machine ${tagsOf(Tags)['Name'] ?? ''} (${InstanceId})`,
        handle: InstanceId,
      }));
  },
  async remove({ name }, { aws }) {
    try {
      await aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: [name] }));
      if ((await instances(aws, { InstanceIds: [name] })).length === 0) return;
    } catch (thrown) {
      if (isNotFound(thrown)) return;
      throw thrown;
    }
    throw new NotYet(`machine ${name} is shutting down`, 'this takes a minute');
  },
});

/** Network interfaces of pods that are not attached to a machine. */
export const networkInterfaceHandler = leftover('aws/NetworkInterface', 'network interface', {
  async listOwned({ aws }) {
    if (!aws.everything) return [];
    const found: { name: string; description: string; handle: string }[] = [];
    const input = { Filters: [...ownedFilters(aws), { Name: 'status', Values: ['available'] }] };
    for await (const page of paginateDescribeNetworkInterfaces({ client: aws.ec2 }, input)) {
      for (const { NetworkInterfaceId: id = '', TagSet } of page.NetworkInterfaces ?? []) {
        if (!isOwned(aws, tagsOf(TagSet))) continue;
        found.push({ name: id, description: `network interface ${id}`, handle: id });
      }
    }
    return found;
  },
  async remove({ name }, { aws }) {
    try {
      await aws.ec2.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId: name }));
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown;
    }
  },
});

/** The tag of this cluster on a shared subnet; the subnet itself is kept. */
export const sharedTagHandler = leftover('aws/SharedTag', 'tag of a shared subnet', {
  async listOwned({ aws }) {
    if (!aws.everything) return [];
    const key = ownershipTag(aws.clusterName);
    const found: { name: string; description: string; handle: string }[] = [];
    const Filters = [{ Name: `tag:${key}`, Values: ['shared'] }];
    for await (const page of paginateDescribeSubnets({ client: aws.ec2 }, { Filters })) {
      for (const { SubnetId: id = '', Tags } of page.Subnets ?? []) {
        if (tagsOf(Tags)[key] !== 'shared') continue;
        found.push({ name: id, description: `the cluster's tag of the shared subnet ${id}`, handle: id });
      }
    }
    return found;
  },
  async remove({ name }, { aws }) {
    const Tags = [{ Key: ownershipTag(aws.clusterName) }];
    await aws.ec2.send(new DeleteTagsCommand({ Resources: [name], Tags }));
  },
});

/** The limit of DescribeTags per call. */
const TAGS_AT_ONCE = 20;

/** Classic load balancers, which the cloud controller creates for Services. */
export const classicLoadBalancerHandler = leftover('aws/ClassicLoadBalancer', 'classic load balancer', {
  async listOwned({ aws }) {
    if (!aws.everything) return [];
    const names: string[] = [];
    for await (const page of paginateDescribeLoadBalancers({ client: aws.classicLoadBalancing }, {})) {
      names.push(...(page.LoadBalancerDescriptions ?? []).flatMap(({ LoadBalancerName }) => LoadBalancerName ?? []));
    }
    const owned: string[] = [];
    for (let from = 0; from < names.length; from += TAGS_AT_ONCE) {
      const LoadBalancerNames = names.slice(from, from + TAGS_AT_ONCE);
      const { TagDescriptions = [] } = await aws.classicLoadBalancing.send(
        new DescribeTagsCommand({ LoadBalancerNames }),
      );
      for (const { LoadBalancerName = '', Tags } of TagDescriptions) {
        if (isOwned(aws, tagsOf(Tags))) owned.push(LoadBalancerName);
      }
    }
    return owned.map((name) => ({ name, description: `classic load balancer ${name}`, handle: name }));
  },
  // Deleting a load balancer that does not exist succeeds.
  async remove({ name }, { aws }) {
    await aws.classicLoadBalancing.send(new DeleteLoadBalancerCommand({ LoadBalancerName: name }));
  },
});

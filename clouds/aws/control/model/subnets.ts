import type { SubnetProps } from '../kinds/network.ts';
import type { Tags } from '../../node/tag-list.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { type AwsContext, subnetId, subnetName, subnetsOf } from './aws-context.ts';
import { awsTask } from './aws-task.ts';
import { privateRouteTable } from './private-routes.ts';
import { publicRouteTable } from './public-routes.ts';
import { isManaged, isOwn, isPublic } from '../subnet-kinds.ts';
import { resourceTags } from './tags.ts';

/** The subnets, each with its tags and its route table. */
export function subnets(context: AwsContext): readonly Task[] {
  return context.subnets.flatMap((subnet) => {
    const name = subnetName(context, subnet);
    const task = awsTask('aws/Subnet', name, props(context, subnet));
    if (!isOwn(subnet) || !isManaged(subnet)) return [task];
    const routes = isPublic(subnet)
      ? { name, routeTable: publicRouteTable(context) }
      : { name: `private-${name}`, routeTable: privateRouteTable(context, subnet.zone ?? '') };
    return [
      task,
      awsTask('aws/RouteTableAssociation', routes.name, {
        routeTable: routes.routeTable,
        subnet: subnetId(context, subnet),
      }),
    ];
  });
}

function props(context: AwsContext, subnet: ClusterSubnetSpec): SubnetProps {
  const tags = subnetTags(context, subnet);
  if (!isOwn(subnet)) return { sharedId: subnet.id ?? '', tags };
  const { cidr, ipv6CIDR } = subnet;
  return {
    vpc: context.vpc,
    zone: subnet.zone ?? '',
    ...(cidr === undefined ? {} : { cidr }),
    ...(ipv6CIDR === undefined ? {} : { ipv6Cidr: ipv6CIDR }),
    // `/64#a` is a part of the range that Amazon provides.
    ...(ipv6CIDR?.startsWith('/') === true ? { vpcIpv6Cidr: context.vpcIpv6Cidr } : {}),
    resourceNames: true,
    tags,
  };
}

/** The cloud controller finds subnets for load balancers of Services by these tags. */
function subnetTags(context: AwsContext, subnet: ClusterSubnetSpec): Tags {
  const { facts, groups } = context;
  if (facts.spec.DisableSubnetTags === true) return {};
  const external = isPublic(subnet);
  // If there are no private subnets, internal load balancers use the public ones.
  const internal = external ? context.subnets.every(isPublic) : subnet.cidr !== undefined;
  return {
    ...resourceTags(facts, subnetName(context, subnet), !isOwn(subnet)),
    SubnetType: subnet.type ?? '',
    ...(external ? { 'kubernetes.io/role/elb': '1' } : {}),
    ...(internal ? { 'kubernetes.io/role/internal-elb': '1' } : {}),
    ...Object.fromEntries(
      groups
        .filter((group) => group.spec.manager === 'Karpenter' && subnetsOf(context, group).includes(subnet))
        .map((group) => [`kops.k8s.io/instance-group/${group.metadata.name}`, 'true']),
    ),
  };
}

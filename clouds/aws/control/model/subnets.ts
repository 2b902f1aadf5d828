import type { SubnetProps } from '../kinds/network.ts';
import type { Tags } from '../../node/tag-list.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isIpv6Only } from '@kopsctl/model/discovery.ts';
import { type AwsContext, subnetId, subnetName, subnetsOf } from './aws-context.ts';
import { awsTask } from './aws-task.ts';
import { privateRouteTable } from './private-routes.ts';
import { isTranslated, publicRouteTable, translatedRouteTable } from './public-routes.ts';
import { isManaged, isOwn, isPublic } from '../subnet-kinds.ts';
import { resourceTags } from './tags.ts';

/** The subnets, each with its tags and its route table. */
export function subnets(context: AwsContext): readonly Task[] {
  return context.subnets.flatMap((subnet) => {
    const name = subnetName(context, subnet);
    const task = awsTask('aws/Subnet', name, props(context, subnet));
    if (!isOwn(subnet) || !isManaged(subnet)) return [task];
    const routes = routesOf(context, subnet);
    return [
      task,
      awsTask('aws/RouteTableAssociation', routes.name, {
        routeTable: routes.routeTable,
        subnet: subnetId(context, subnet),
      }),
    ];
  });
}

/** The route table of a subnet, and the name of the task that connects them. */
function routesOf(
  context: AwsContext,
  subnet: ClusterSubnetSpec,
): { readonly name: string; readonly routeTable: Output } {
  const name = subnetName(context, subnet);
  const zone = subnet.zone ?? '';
  if (!isPublic(subnet)) return { name: `private-${name}`, routeTable: privateRouteTable(context, zone) };
  if (isTranslated(context, subnet)) return { name: `public-${name}`, routeTable: translatedRouteTable(context, zone) };
  return { name, routeTable: publicRouteTable(context) };
}

function props(context: AwsContext, subnet: ClusterSubnetSpec): SubnetProps {
  const tags = subnetTags(context, subnet);
  if (!isOwn(subnet)) return { sharedId: subnet.id ?? '', tags };
  const { facts } = context;
  const { cidr, ipv6CIDR } = subnet;
  return {
    vpc: context.vpc,
    zone: subnet.zone ?? '',
    ...(cidr === undefined ? {} : { cidr }),
    ...(ipv6CIDR === undefined ? {} : { ipv6Cidr: ipv6CIDR }),
    // `/64#a` is a part of the range that Amazon provides.
    ...(ipv6CIDR?.startsWith('/') === true ? { vpcIpv6Cidr: context.vpcIpv6Cidr } : {}),
    // An instance has one private name: that of its address, or that of its id.
    resourceNames: facts.spec.cloudConfig?.useIPBasedNodeNames !== true,
    tags,
  };
}

/** The cloud controller finds subnets for load balancers of Services by these tags. */
function subnetTags(context: AwsContext, subnet: ClusterSubnetSpec): Tags {
  const { facts, groups } = context;
  if (facts.spec.DisableSubnetTags === true) return {};
  const external = isPublic(subnet);
  const internal = external ? takesInternal(context) : subnet.type === 'DualStack' || !hasDualStack(context, subnet);
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

/**
 * If there are no private subnets, internal load balancers use the public ones, but not with IPv6 alone: then the public
 * ones lead to the internet, where AWS makes no internal load balancers.
 */
const takesInternal = ({ facts, subnets: all }: AwsContext): boolean => all.every(isPublic) && !isIpv6Only(facts);

/** Load balancers have IPv4 addresses, which private subnets beside a dual-stack one lack. */
const hasDualStack = ({ subnets: all }: AwsContext, { zone }: ClusterSubnetSpec): boolean =>
  all.some((other) => other.zone === zone && other.type === 'DualStack');

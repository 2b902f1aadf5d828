import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isIpv6Only } from '@kopsctl/model/discovery.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { type AwsContext, subnetId } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { isManaged, isOwn, isPublic } from '../subnet-kinds.ts';
import { KOPS_ROLE_TAG, resourceTags } from './tags.ts';
import { NAT64, wayOut } from './way-out.ts';

/** The route table of public and utility subnets, which leads to the internet. */
export const publicRouteTable = ({ facts }: AwsContext): Output => outputOf('aws/RouteTable', facts.clusterName, 'id');

/** The internet gateway, and the route table of the managed subnets that use it. */
export function internetRoutes(context: AwsContext): readonly Task[] {
  const { facts, subnets, sharedVpc } = context;
  const name = facts.clusterName;
  if (!subnets.some(isManaged)) return [];
  const internetGateway = outputOf('aws/InternetGateway', name, 'id');
  const gateway = awsTask('aws/InternetGateway', name, {
    vpc: context.vpc,
    shared: sharedVpc,
    tags: resourceTags(facts, name, sharedVpc),
  });
  if (!subnets.some(isOwn)) return [gateway];
  const routeTable = publicRouteTable(context);
  return [
    gateway,
    awsTask('aws/RouteTable', name, {
      vpc: context.vpc,
      tags: { ...resourceTags(facts, name), [KOPS_ROLE_TAG]: 'public' },
    }),
    awsTask('aws/Route', '0.0.0.0/0', { routeTable, cidr: '0.0.0.0/0', internetGateway }),
    awsTask('aws/Route', '::/0', { routeTable, ipv6Cidr: '::/0', internetGateway }),
    ...translatedZones(context).flatMap((zone) => zoneRoutes(context, zone, internetGateway)),
  ];
}

/**
 * Whether the machines of a public subnet have only IPv6 addresses: then its zone has a route table of its own, by which
 * they reach IPv4 through a NAT gateway (kops pkg/model/awsmodel/network.go).
 */
export const isTranslated = ({ facts }: AwsContext, subnet: ClusterSubnetSpec): boolean =>
  isIpv6Only(facts) && subnet.type === 'Public' && (subnet.ipv6CIDR ?? '') !== '' && isOwn(subnet) && isManaged(subnet);

const tableName = ({ facts }: AwsContext, zone: string): string => `public-${zone}.${facts.clusterName}`;

/** The route table of a zone's IPv6-only public subnets. */
export const translatedRouteTable = (context: AwsContext, zone: string): Output =>
  outputOf('aws/RouteTable', tableName(context, zone), 'id');

const translatedIn = (context: AwsContext, zone: string): readonly ClusterSubnetSpec[] =>
  context.subnets.filter((subnet) => subnet.zone === zone && isTranslated(context, subnet));

const translatedZones = (context: AwsContext): readonly string[] => [
  ...new Set(context.subnets.filter((subnet) => isTranslated(context, subnet)).map(({ zone }) => zone ?? '')),
];

function zoneRoutes(context: AwsContext, zone: string, internetGateway: Output): readonly Task[] {
  const name = tableName(context, zone);
  const routeTable = translatedRouteTable(context, zone);
  const [first] = translatedIn(context, zone);
  // Private subnets of the zone have a NAT gateway already, and one is enough.
  const hasPrivate = context.subnets.some((one) => one.zone === zone && !isPublic(one) && isOwn(one) && isManaged(one));
  const { tasks, target } = wayOut(context, zone, translatedIn(context, zone), () => subnetId(context, first ?? {}));
  return [
    ...(hasPrivate ? [] : tasks),
    awsTask('aws/RouteTable', name, {
      vpc: context.vpc,
      tags: { ...resourceTags(context.facts, name), [KOPS_ROLE_TAG]: `public-${zone}` },
    }),
    awsTask('aws/Route', `public-${zone}-0.0.0.0/0`, { routeTable, cidr: '0.0.0.0/0', internetGateway }),
    awsTask('aws/Route', `public-${zone}-::/0`, { routeTable, ipv6Cidr: '::/0', internetGateway }),
    ...(target === undefined
      ? []
      : [awsTask('aws/Route', `public-${zone}-${NAT64}`, { routeTable, ipv6Cidr: NAT64, ...target })]),
  ];
}

import { isIpv6Only } from '@kopsctl/model/discovery.ts';
import type { Output } from '@kopsctl/model/output.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { type AwsContext, subnetId } from './aws-context.ts';
import { NAT64, type Target, wayOut } from './way-out.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { isManaged, isOwn, isPublic } from '../subnet-kinds.ts';
import { KOPS_ROLE_TAG, resourceTags } from './tags.ts';

const tableName = ({ facts }: AwsContext, zone: string): string => `private-${zone}.${facts.clusterName}`;

/** The route table of a zone's private subnets. */
export const privateRouteTable = (context: AwsContext, zone: string): Output =>
  outputOf('aws/RouteTable', tableName(context, zone), 'id');

/**
 * A route table for each zone with private subnets, and its default route: a NAT gateway unless the spec sets another
 * egress.
 */
export function privateRoutes(context: AwsContext): readonly Task[] {
  const managed = context.subnets.filter((subnet) => !isPublic(subnet) && isOwn(subnet) && isManaged(subnet));
  const zones = [...new Set(managed.map(({ zone }) => zone ?? ''))];
  const inZones = zones.flatMap((zone) =>
    zoneRoutes(
      context,
      zone,
      managed.filter((subnet) => subnet.zone === zone),
    ),
  );
  return [...egressOnlyGateway(context, managed), ...inZones];
}

/** kops gives IPv6 a way out of private subnets only where machines and pods have no other addresses. */
function egressOnlyGateway(context: AwsContext, managed: readonly ClusterSubnetSpec[]): readonly Task[] {
  if (!isIpv6Only(context.facts) || managed.length === 0) return [];
  const { facts, sharedVpc, vpc } = context;
  const tags = resourceTags(facts, facts.clusterName, sharedVpc);
  return [awsTask('aws/EgressOnlyInternetGateway', facts.clusterName, { vpc, shared: sharedVpc, tags })];
}

function zoneRoutes(context: AwsContext, zone: string, subnets: readonly ClusterSubnetSpec[]): readonly Task[] {
  const { facts } = context;
  const name = tableName(context, zone);
  const routeTable = privateRouteTable(context, zone);
  const { tasks, target } = wayOut(context, zone, subnets, utilitySubnet);
  const ipv6 = isIpv6Only(context.facts);
  const route = (destination: { cidr: string } | { ipv6Cidr: string }, to: Target): Task =>
    awsTask('aws/Route', `private-${zone}-${Object.values(destination)[0]}`, { routeTable, ...destination, ...to });
  return [
    ...tasks,
    awsTask('aws/RouteTable', name, {
      vpc: context.vpc,
      tags: { ...resourceTags(facts, name), [KOPS_ROLE_TAG]: `private-${zone}` },
    }),
    ...(target === undefined ? [] : [route({ cidr: '0.0.0.0/0' }, target)]),
    ...(ipv6 && target !== undefined ? [route({ ipv6Cidr: NAT64 }, target)] : []),
    ...(ipv6
      ? [
          route(
            { ipv6Cidr: '::/0' },
            { egressOnlyInternetGateway: outputOf('aws/EgressOnlyInternetGateway', facts.clusterName, 'id') },
          ),
        ]
      : []),
    ...subnets.flatMap((subnet) => additionalRoutes(context, subnet, routeTable)),
  ];
}

/** NAT gateways are in subnets with a route to the internet. */
function utilitySubnet(context: AwsContext, zone: string): Output {
  const inZone = context.subnets.filter((subnet) => subnet.zone === zone);
  const found = inZone.find(({ type }) => type === 'Utility') ?? inZone.find(({ type }) => type === 'Public');
  if (found !== undefined) return subnetId(context, found);
  throw new ActionableError({
    what: `place the NAT gateway of ${context.facts.clusterName} in ${zone}`,
    why: 'the zone has private subnets but no utility or public one',
    next: `add a subnet of type Utility in ${zone}, or set egress of the private subnets`,
  });
}

const ROUTE_TARGETS: readonly (readonly [prefix: string, target: (id: string) => Target])[] = [
  ['pcx-', (id) => ({ peeringConnection: id })],
  ['i-', (id) => ({ instance: id })],
  ['nat-', (id) => ({ natGateway: id })],
  ['tgw-', (id) => ({ transitGateway: id })],
  ['igw-', (id) => ({ internetGateway: id })],
  ['eigw-', (id) => ({ egressOnlyInternetGateway: id })],
];

function additionalRoutes(context: AwsContext, subnet: ClusterSubnetSpec, routeTable: Output): readonly Task[] {
  return (subnet.additionalRoutes ?? []).map(({ cidr = '', target = '' }) => {
    const to = ROUTE_TARGETS.find(([prefix]) => target.startsWith(prefix))?.[1](target);
    if (to === undefined) {
      throw new ActionableError({
        what: `set up the routes of ${context.facts.clusterName}`,
        why: `subnet ${subnet.name}: the target ${target} of ${cidr} is of an unknown kind`,
        next: `use one of ${ROUTE_TARGETS.map(([prefix]) => `${prefix}…`).join(', ')}`,
      });
    }
    const destination = cidr.includes(':') ? { ipv6Cidr: cidr } : { cidr };
    return awsTask('aws/Route', `${subnet.name}-${cidr}`, { routeTable, ...destination, ...to });
  });
}

import {
  AssociateRouteTableCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  paginateDescribeRouteTables,
  ReplaceRouteCommand,
  ReplaceRouteTableAssociationCommand,
  type Route,
  type RouteTable,
  type RouteTableAssociation,
} from '@aws-sdk/client-ec2';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr, asked, clusterFilters, type Ec2Found, ec2Handler, type Ec2Query } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundRouteTable extends Ec2Found {
  readonly table: RouteTable;
}

async function loadRouteTables(aws: AwsCloud, query: Ec2Query): Promise<readonly FoundRouteTable[]> {
  const found: FoundRouteTable[] = [];
  for await (const page of paginateDescribeRouteTables({ client: aws.ec2 }, asked(query, 'RouteTableIds'))) {
    for (const table of page.RouteTables ?? []) {
      found.push({ id: table.RouteTableId ?? '', tags: tagsOf(table.Tags), table });
    }
  }
  return found;
}

/** A table by what is true of no other one: one of the cluster's, or else what the query finds. */
const tableWhere = (
  aws: AwsCloud,
  isWanted: (found: FoundRouteTable) => boolean,
  query: Ec2Query,
): Promise<FoundRouteTable | undefined> =>
  amongAllOr(
    aws,
    () => loadRouteTables(aws, { filters: clusterFilters(aws) }),
    isWanted,
    () => loadRouteTables(aws, query),
  );

export const routeTableHandler = ec2Handler<'aws/RouteTable', FoundRouteTable>({
  kind: 'aws/RouteTable',
  noun: 'route table',
  type: 'route-table',
  load: loadRouteTables,
  fixed: ['vpc'],
  wanted: ({ vpc }) => ({ vpc }),
  present: ({ table }) => ({ vpc: table.VpcId ?? '' }),
  async create({ vpc }, aws, TagSpecifications) {
    const { RouteTable: made } = await aws.ec2Once.send(new CreateRouteTableCommand({ VpcId: vpc, TagSpecifications }));
    return made?.RouteTableId;
  },
  async remove(RouteTableId, aws) {
    const { RouteTables: [table] = [] } = await aws.ec2.send(
      new DescribeRouteTablesCommand({ RouteTableIds: [RouteTableId] }),
    );
    for (const { RouteTableAssociationId: AssociationId, Main } of table?.Associations ?? []) {
      if (Main !== true) await aws.ec2.send(new DisassociateRouteTableCommand({ AssociationId }));
    }
    await aws.ec2.send(new DeleteRouteTableCommand({ RouteTableId }));
  },
});

/** The possible targets of a route and their names in EC2. */
const TARGETS = {
  internetGateway: 'GatewayId',
  egressOnlyInternetGateway: 'EgressOnlyInternetGatewayId',
  natGateway: 'NatGatewayId',
  instance: 'InstanceId',
  transitGateway: 'TransitGatewayId',
  peeringConnection: 'VpcPeeringConnectionId',
} as const;

type RouteProps = PropsOf<'aws/Route'>;

const targetOf = (props: RouteProps): JsonObject =>
  Object.fromEntries(
    Object.keys(TARGETS).flatMap((name) => {
      const value: unknown = Reflect.get(props, name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const presentTarget = (route: Route): JsonObject =>
  Object.fromEntries(
    Object.entries(TARGETS).flatMap(([name, field]) => {
      const value = route[field];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const request = (props: RouteProps) => ({
  RouteTableId: props.routeTable,
  ...(props.cidr === undefined ? {} : { DestinationCidrBlock: props.cidr }),
  ...(props.ipv6Cidr === undefined ? {} : { DestinationIpv6CidrBlock: props.ipv6Cidr }),
  ...Object.fromEntries(
    // targetOf only returns names of TARGETS.
    Object.entries(targetOf(props)).map(([name, value]) => [TARGETS[name as keyof typeof TARGETS], value]),
  ),
});

/** It is deleted with its table. */
export const routeHandler = resourceHandler<'aws/Route', Route>({
  kind: 'aws/Route',
  noun: 'route',
  within: ['routeTable'],
  async find({ props }, aws) {
    const found = await tableWhere(aws, ({ id }) => id === props.routeTable, { ids: [props.routeTable] });
    return found?.table.Routes?.find(
      (route) =>
        (props.cidr !== undefined && route.DestinationCidrBlock === props.cidr) ||
        (props.ipv6Cidr !== undefined && route.DestinationIpv6CidrBlock === props.ipv6Cidr),
    );
  },
  wanted: targetOf,
  present: presentTarget,
  async create({ props }, aws) {
    await aws.ec2.send(new CreateRouteCommand(request(props)));
  },
  async update({ props }, _found, _changes, aws) {
    await aws.ec2.send(new ReplaceRouteCommand(request(props)));
  },
});

/** A subnet uses one route table: its own, or else the main table of the VPC. */
export const routeTableAssociationHandler = resourceHandler<
  'aws/RouteTableAssociation',
  { readonly association: string; readonly routeTable: string }
>({
  kind: 'aws/RouteTableAssociation',
  noun: 'route table of the subnet',
  within: ['subnet'],
  async find({ props }, aws) {
    const isOfSubnet = ({ SubnetId }: RouteTableAssociation) => SubnetId === props.subnet;
    const found = await tableWhere(aws, ({ table }) => table.Associations?.some(isOfSubnet) === true, {
      filters: [{ Name: 'association.subnet-id', Values: [props.subnet] }],
    });
    const association = found?.table.Associations?.find(isOfSubnet);
    const id = association?.RouteTableAssociationId;
    return found === undefined || id === undefined ? undefined : { association: id, routeTable: found.id };
  },
  wanted: ({ routeTable }) => ({ routeTable }),
  present: ({ routeTable }) => ({ routeTable }),
  async create({ props }, aws) {
    await aws.ec2.send(new AssociateRouteTableCommand({ SubnetId: props.subnet, RouteTableId: props.routeTable }));
  },
  async update({ props }, { association }, _changes, aws) {
    await aws.ec2.send(
      new ReplaceRouteTableAssociationCommand({ AssociationId: association, RouteTableId: props.routeTable }),
    );
  },
});

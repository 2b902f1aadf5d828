import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { Expression, block, expression } from '@kopsctl/model/terraform/value.ts';
import type * as network from '../kinds/network.ts';
import { attribute, data, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

export const vpc: TerraformKind<network.VpcProps> = {
  resources: (name, props) =>
    'sharedId' in props
      ? [data('aws_vpc', name, { id: props.sharedId })]
      : [
          resource('aws_vpc', name, {
            assign_generated_ipv6_cidr_block: props.amazonIpv6,
            cidr_block: props.cidr,
            enable_dns_hostnames: props.enableDnsHostnames,
            enable_dns_support: props.enableDnsSupport,
            tags: props.tags,
          }),
        ],
  output(output, name, props) {
    if (output !== 'ipv6Cidr') return 'sharedId' in props ? props.sharedId : attribute('aws_vpc', name, 'id');
    return attribute('sharedId' in props ? 'data.aws_vpc' : 'aws_vpc', name, 'ipv6_cidr_block');
  },
};

export const vpcCidrBlock: TerraformKind<network.VpcCidrBlockProps> = {
  resources: (name, { vpc: id, cidr }, { link }) => [
    resource('aws_vpc_ipv4_cidr_block_association', `cidr-${name}`, { cidr_block: cidr, vpc_id: link(id) }),
  ],
  output: noOutput,
};

export const dhcpOptions: TerraformKind<network.DhcpOptionsProps> = {
  resources: (name, props) => [
    resource('aws_vpc_dhcp_options', name, {
      domain_name: props.domainName,
      domain_name_servers: props.domainNameServers,
      tags: props.tags,
    }),
  ],
  output: (_output, name) => attribute('aws_vpc_dhcp_options', name, 'id'),
};

export const dhcpOptionsAssociation: TerraformKind<network.DhcpOptionsAssociationProps> = {
  resources: (name, props, { link }) => [
    resource('aws_vpc_dhcp_options_association', name, {
      dhcp_options_id: link(props.dhcpOptions),
      vpc_id: link(props.vpc),
    }),
  ],
  output: noOutput,
};

/** The gateway of a shared VPC is looked up by its attachment. */
export const internetGateway: TerraformKind<network.InternetGatewayProps> = {
  resources: (name, { vpc: id, shared, tags }, { link }) => [
    shared
      ? data('aws_internet_gateway', name, {
          filter: block({ name: 'attachment.vpc-id', values: [link(id)] }),
        })
      : resource('aws_internet_gateway', name, { tags, vpc_id: link(id) }),
  ],
  output: (_output, name, { shared }) => attribute(`${shared ? 'data.' : ''}aws_internet_gateway`, name, 'id'),
};

/** The gateway of a shared VPC: Terraform's provider has no data source that finds it, so its id comes from EC2 or the user. */
export const egressOnlyInternetGateway: TerraformKind<network.EgressOnlyInternetGatewayProps> = {
  resources: (name, { vpc: id, shared, tags }, { link }) =>
    shared ? [] : [resource('aws_egress_only_internet_gateway', name, { tags, vpc_id: link(id) })],
  output: (_output, name, { shared, foundId }) =>
    shared
      ? (foundId ?? expression(`var.${EGRESS_ONLY_GATEWAY}`))
      : attribute('aws_egress_only_internet_gateway', name, 'id'),
};

/** The variable for the egress-only gateway of a shared VPC whose id is not known. */
export const EGRESS_ONLY_GATEWAY = 'egress_only_internet_gateway_id';

export const subnet: TerraformKind<network.SubnetProps> = {
  resources(name, props, { link }) {
    if ('sharedId' in props) return [];
    const { cidr, ipv6Cidr } = props;
    const onlyIpv6 = cidr === undefined;
    return [
      resource('aws_subnet', name, {
        availability_zone: props.zone,
        cidr_block: cidr,
        tags: unlessNone(props.tags),
        vpc_id: link(props.vpc),
        enable_resource_name_dns_a_record_on_launch: props.resourceNames && !onlyIpv6 ? true : undefined,
        private_dns_hostname_type_on_launch: props.resourceNames ? 'resource-name' : undefined,
        ...(ipv6Cidr === undefined
          ? {}
          : {
              assign_ipv6_address_on_creation: true,
              enable_resource_name_dns_aaaa_record_on_launch: props.resourceNames ? true : undefined,
              ipv6_cidr_block: partOfVpc(ipv6Cidr, props, link),
              ipv6_native: onlyIpv6 ? true : undefined,
              enable_dns64: onlyIpv6 ? true : undefined,
            }),
      }),
    ];
  },
  output: (_output, name, props) => ('sharedId' in props ? props.sharedId : attribute('aws_subnet', name, 'id')),
};

const unlessNone = <Map extends object>(map: Map): Map | undefined => (Object.keys(map).length === 0 ? undefined : map);

/** `/64#a` is the subnet with index 10 of the VPC's range. */
function partOfVpc(
  ipv6Cidr: string,
  { vpcIpv6Cidr }: { readonly vpcIpv6Cidr?: unknown },
  link: (value: unknown) => unknown,
) {
  const part = /^\/(\d+)#([0-9a-f]+)$/.exec(ipv6Cidr);
  if (part === null) return ipv6Cidr;
  const range = link(vpcIpv6Cidr);
  if (!(range instanceof Expression)) throw new Error('the IPv6 range of the VPC is not a reference');
  const length = `local.vpc_ipv6_cidr_length`;
  return expression(`cidrsubnet(${range.text}, ${part[1]} - ${length}, ${Number.parseInt(part[2] ?? '0', 16)})`);
}

export const routeTable: TerraformKind<network.RouteTableProps> = {
  resources: (name, { vpc: id, tags }, { link }) => [resource('aws_route_table', name, { tags, vpc_id: link(id) })],
  output: (_output, name) => attribute('aws_route_table', name, 'id'),
};

export const route: TerraformKind<network.RouteProps> = {
  resources: (name, props, { link }) => [
    resource('aws_route', `route-${name}`, {
      destination_cidr_block: props.cidr,
      destination_ipv6_cidr_block: props.ipv6Cidr,
      egress_only_gateway_id: optional(link, props.egressOnlyInternetGateway),
      gateway_id: optional(link, props.internetGateway),
      nat_gateway_id: optional(link, props.natGateway),
      // The API accepts an instance; the provider wants its network interface.
      network_interface_id:
        props.instance === undefined
          ? undefined
          : expression(`data.aws_instance.${props.instance}.network_interface_id`),
      route_table_id: link(props.routeTable),
      transit_gateway_id: props.transitGateway,
      vpc_peering_connection_id: props.peeringConnection,
    }),
    ...(props.instance === undefined ? [] : [data('aws_instance', props.instance, { instance_id: props.instance })]),
  ],
  output: noOutput,
};

const optional = <Result>(link: (value: unknown) => Result, value: unknown): Result | undefined =>
  value === undefined ? undefined : link(value);

export const routeTableAssociation: TerraformKind<network.RouteTableAssociationProps> = {
  resources: (name, props, { link }) => [
    resource('aws_route_table_association', name, {
      route_table_id: link(props.routeTable),
      subnet_id: link(props.subnet),
    }),
  ],
  output: noOutput,
};

export const elasticIp: TerraformKind<network.ElasticIpProps> = {
  resources: (name, props) => {
    if ('sharedAddress' in props) return [data('aws_eip', name, { public_ip: props.sharedAddress })];
    return 'sharedId' in props ? [] : [resource('aws_eip', name, { domain: 'vpc', tags: props.tags })];
  },
  output: (_output, name, props) => {
    if ('sharedAddress' in props) return attribute('data.aws_eip', name, 'id');
    return 'sharedId' in props ? props.sharedId : attribute('aws_eip', name, 'id');
  },
};

export const natGateway: TerraformKind<network.NatGatewayProps> = {
  resources: (name, props, { link }) =>
    'sharedId' in props
      ? []
      : [
          resource('aws_nat_gateway', name, {
            allocation_id: link(props.elasticIp),
            subnet_id: link(props.subnet),
            tags: props.tags,
          }),
        ],
  output: (_output, name, props) => ('sharedId' in props ? props.sharedId : attribute('aws_nat_gateway', name, 'id')),
};

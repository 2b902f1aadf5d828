import type { Shared, Tags, Text } from './output.ts';

/** Yields `id` and, with amazonIpv6, `ipv6Cidr`. */
export type VpcProps = VpcWish | Shared;

interface VpcWish {
  readonly cidr: string;
  /** Amazon gives the VPC a range of IPv6 addresses. */
  readonly amazonIpv6: boolean;
  readonly enableDnsHostnames: boolean;
  readonly enableDnsSupport: boolean;
  readonly tags: Tags;
}

/** One more IPv4 range of a VPC. */
export interface VpcCidrBlockProps {
  readonly vpc: Text;
  readonly cidr: string;
}

/** Yields `id`. */
export interface DhcpOptionsProps {
  readonly domainName: string;
  readonly domainNameServers: readonly string[];
  readonly tags: Tags;
}

export interface DhcpOptionsAssociationProps {
  readonly vpc: Text;
  readonly dhcpOptions: Text;
}

/** The way to the internet, attached to the VPC. A shared VPC has its own, found by its attachment. Yields `id`. */
export interface InternetGatewayProps {
  readonly vpc: Text;
  readonly shared: boolean;
  readonly tags: Tags;
}

/** Out to the internet by IPv6, and nothing in. A shared VPC has its own. Yields `id`. */
export interface EgressOnlyInternetGatewayProps {
  readonly vpc: Text;
  readonly shared: boolean;
  readonly tags: Tags;
}

/** Yields `id`. */
export type SubnetProps = SubnetWish | SharedSubnet;

interface SubnetWish {
  readonly vpc: Text;
  readonly zone: string;
  /** Absent where the subnet has IPv6 alone. */
  readonly cidr?: string;
  /** A range, or `/64#n`: the nth /64 (n hexadecimal) of the VPC's own IPv6 range. */
  readonly ipv6Cidr?: string;
  /** The VPC's IPv6 range, where `ipv6Cidr` is a part of it. */
  readonly vpcIpv6Cidr?: Text;
  /** Machines are named after their instance id. */
  readonly resourceNames: boolean;
  readonly tags: Tags;
}

/** A subnet of somebody else; only the tags that load balancers look for are added to it. */
interface SharedSubnet extends Shared {
  readonly tags: Tags;
}

/** Yields `id`. */
export interface RouteTableProps {
  readonly vpc: Text;
  readonly tags: Tags;
}

/** One route of one table; exactly one destination and one target. */
export interface RouteProps {
  readonly routeTable: Text;
  readonly cidr?: string;
  readonly ipv6Cidr?: string;
  readonly internetGateway?: Text;
  readonly egressOnlyInternetGateway?: Text;
  readonly natGateway?: Text;
  readonly instance?: string;
  readonly transitGateway?: string;
  readonly peeringConnection?: string;
}

export interface RouteTableAssociationProps {
  readonly routeTable: Text;
  readonly subnet: Text;
}

/** A public address. Yields `id`, the allocation. */
export type ElasticIpProps = { readonly tags: Tags } | Shared;

/** Yields `id`. */
export type NatGatewayProps = { readonly subnet: Text; readonly elasticIp: Text; readonly tags: Tags } | Shared;

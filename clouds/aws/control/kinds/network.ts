import type { Ref } from '@kopsctl/tasks/task.ts';
import type { Shared, Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** Yields `id` and, with amazonIpv6, `ipv6Cidr`. */
export type VpcProps = VpcWish | Shared;

interface VpcWish {
  readonly cidr: string;
  /** Whether Amazon provides an IPv6 range. */
  readonly amazonIpv6: boolean;
  readonly enableDnsHostnames: boolean;
  readonly enableDnsSupport: boolean;
  readonly tags: Tags;
}

/** An additional IPv4 range of a VPC. */
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

/** An internet gateway attached to the VPC. A shared VPC has its own, found by its attachment. Yields `id`. */
export interface InternetGatewayProps {
  readonly vpc: Text;
  readonly shared: boolean;
  readonly tags: Tags;
}

/** An egress-only internet gateway. A shared VPC has its own. Yields `id`. */
export interface EgressOnlyInternetGatewayProps {
  readonly vpc: Text;
  readonly shared: boolean;
  /** The id of the one that a shared VPC has, for tools that cannot look it up. */
  readonly foundId?: string;
  readonly tags: Tags;
}

/** Yields `id`. */
export type SubnetProps = SubnetWish | SharedSubnet;

interface SubnetWish {
  readonly vpc: Text;
  readonly zone: string;
  /** Absent for an IPv6-only subnet. */
  readonly cidr?: string;
  /** A range, or `/64#n`: the /64 with (hexadecimal) index n in the VPC's IPv6 range. */
  readonly ipv6Cidr?: string;
  /** The VPC's IPv6 range, where `ipv6Cidr` is a part of it. */
  readonly vpcIpv6Cidr?: Text;
  /** Whether machines are named by their instance id. */
  readonly resourceNames: boolean;
  readonly tags: Tags;
}

/** A subnet that others own; only the tags that load balancers look for are added. */
interface SharedSubnet extends Shared {
  readonly tags: Tags;
}

/** Yields `id`. */
export interface RouteTableProps {
  readonly vpc: Text;
  readonly tags: Tags;
}

/** A route of a route table, with exactly one destination and one target. */
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

/** An elastic IP that others own, named by the address itself. */
interface SharedAddress {
  readonly sharedAddress: string;
}

/** An elastic IP. Yields `id`, the allocation. */
export type ElasticIpProps = { readonly tags: Tags } | Shared | SharedAddress;

/** Yields `id`. */
export type NatGatewayProps =
  | {
      readonly subnet: Text;
      readonly elasticIp: Text;
      /** The internet gateway: without one that is attached to the VPC, a NAT gateway fails for good. */
      readonly after: readonly Ref[];
      readonly tags: Tags;
    }
  | Shared;

import type { Output } from '@kopsctl/model/output.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { outputOf } from './aws-task.ts';
import { partitionOf, regionOf } from '../region.ts';

/** The input of every builder of AWS resources. */
export interface AwsContext {
  readonly facts: ClusterFacts;
  readonly groups: readonly InstanceGroup[];
  readonly region: string;
  readonly partition: string;
  readonly subnets: readonly ClusterSubnetSpec[];
  readonly sharedVpc: boolean;
  readonly vpc: Output;
  /** The VPC's IPv6 range. */
  readonly vpcIpv6Cidr: Output;
}

export function awsContext(facts: ClusterFacts, groups: readonly InstanceGroup[]): AwsContext {
  const region = regionOf(facts.clusterName, facts.spec);
  return {
    facts,
    groups,
    region,
    partition: partitionOf(region),
    subnets: facts.spec.subnets ?? [],
    sharedVpc: facts.spec.networkID !== undefined && facts.spec.networkID !== '',
    vpc: outputOf('aws/Vpc', facts.clusterName, 'id'),
    vpcIpv6Cidr: outputOf('aws/Vpc', facts.clusterName, 'ipv6Cidr'),
  };
}

/** The name of the task of a subnet: `<subnet>.<cluster>`. */
export const subnetName = ({ facts }: AwsContext, subnet: ClusterSubnetSpec): string =>
  `${subnet.name}.${facts.clusterName}`;

export const subnetId = (context: AwsContext, subnet: ClusterSubnetSpec): Output =>
  outputOf('aws/Subnet', subnetName(context, subnet), 'id');

/** The subnets of an instance group. */
export function subnetsOf({ subnets }: AwsContext, group: InstanceGroup): readonly ClusterSubnetSpec[] {
  return (group.spec.subnets ?? []).flatMap((name) => subnets.filter((subnet) => subnet.name === name));
}

import { DescribeVpcsCommand, paginateDescribeSubnets } from '@aws-sdk/client-ec2';
import type { VpcInfo } from '@kopsctl/model/vpc-info.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { explained, isNotFound } from './aws-error.ts';

/** The ranges of a VPC and of its subnets; undefined where there is no such VPC. */
export async function findVpcInfo(aws: AwsCloud, id: string): Promise<VpcInfo | undefined> {
  try {
    const { Vpcs: [vpc] = [] } = await aws.ec2.send(new DescribeVpcsCommand({ VpcIds: [id] }));
    if (vpc?.CidrBlock === undefined) return undefined;
    const subnets: { id: string; place: string; cidr: string }[] = [];
    const Filters = [{ Name: 'vpc-id', Values: [id] }];
    for await (const page of paginateDescribeSubnets({ client: aws.ec2 }, { Filters })) {
      for (const { SubnetId = '', AvailabilityZone = '', CidrBlock = '', VpcId } of page.Subnets ?? []) {
        if (VpcId === id) subnets.push({ id: SubnetId, place: AvailabilityZone, cidr: CidrBlock });
      }
    }
    return { cidr: vpc.CidrBlock, subnets };
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw explained(thrown, `look for the VPC ${id}`);
  }
}

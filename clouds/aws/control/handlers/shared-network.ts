import { paginateDescribeSubnets, type Subnet } from '@aws-sdk/client-ec2';
import type { NamedNetwork, SharedNetwork } from '@kopsctl/model/create-cluster/flags.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { explained } from './aws-error.ts';
import { findVpcInfo } from './vpc-info.ts';

/**
 * The VPC that a new cluster is to share, as EC2 describes it: the one that is named, or the VPC of the subnets that are
 * named.
 *
 * @throws ActionableError that names what is not there
 */
export async function findSharedNetwork(aws: AwsCloud, { id, subnets }: NamedNetwork): Promise<SharedNetwork> {
  const found = await describe(aws, subnets);
  const missing = subnets.filter((subnet) => !found.some(({ SubnetId }) => SubnetId === subnet));
  if (missing.length > 0) {
    throw refusal(
      `there ${missing.length === 1 ? 'is no subnet' : 'are no subnets'} ${missing.join(', ')} in ${aws.region}`,
      'check the ids, the region of --zones, and the account: `aws ec2 describe-subnets` lists the subnets',
    );
  }
  const vpc = id ?? found[0]?.VpcId ?? '';
  const stray = found.find(({ VpcId }) => VpcId !== vpc);
  if (stray !== undefined) {
    throw refusal(
      `the subnet ${stray.SubnetId} is in the VPC ${stray.VpcId}, and ${id === undefined ? `${found[0]?.SubnetId} in` : '--network-id names'} ${vpc}`,
      'name subnets of one VPC',
    );
  }
  const info = await findVpcInfo(aws, vpc);
  if (info === undefined) throw refusal(`there is no VPC ${vpc} in ${aws.region}`, 'check --network-id and --zones');
  return { id: vpc, ...info };
}

/** Uses a filter, because EC2 answers a list with ids that do not exist with an error that may name only the first of them. */
async function describe(aws: AwsCloud, ids: readonly string[]): Promise<readonly Subnet[]> {
  if (ids.length === 0) return [];
  const Filters = [{ Name: 'subnet-id', Values: [...ids] }];
  const found: Subnet[] = [];
  try {
    for await (const page of paginateDescribeSubnets({ client: aws.ec2 }, { Filters })) {
      found.push(...(page.Subnets ?? []));
    }
    return found;
  } catch (thrown) {
    throw explained(thrown, `ask EC2 for the subnets ${ids.join(', ')}`);
  }
}

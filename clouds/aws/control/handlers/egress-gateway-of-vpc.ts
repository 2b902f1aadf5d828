import { paginateDescribeEgressOnlyInternetGateways } from '@aws-sdk/client-ec2';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AwsCloud } from './aws-cloud.ts';

/** The egress-only internet gateway that is attached to a VPC. EC2 does not filter them by VPC. */
export async function egressGatewayOfVpc(aws: AwsCloud, vpc: string): Promise<string> {
  for await (const { EgressOnlyInternetGateways = [] } of paginateDescribeEgressOnlyInternetGateways(
    { client: aws.ec2 },
    {},
  )) {
    for (const { EgressOnlyInternetGatewayId: id, Attachments = [] } of EgressOnlyInternetGateways) {
      if (id !== undefined && Attachments.some(({ VpcId }) => VpcId === vpc)) return id;
    }
  }
  throw new ActionableError({
    what: `find the egress-only internet gateway of the VPC ${vpc}`,
    why: 'it has none, and kopsctl does not create one in a shared VPC',
    next: `run aws ec2 create-egress-only-internet-gateway --vpc-id ${vpc}, or set egress: External for its private subnets`,
  });
}

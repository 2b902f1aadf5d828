import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { AwsContext } from '../aws-context.ts';
import { isScaledByAws } from '../group-names.ts';
import { encryption } from './permissions.ts';
import { allow, type Permissions } from './policy.ts';
import { roleName } from './role-names.ts';

/** The API calls of Karpenter (its documentation, "Create IAM roles", v1.6). */
const CALLS = [
  'ec2:CreateFleet',
  'ec2:CreateLaunchTemplate',
  'ec2:CreateTags',
  'ec2:DeleteLaunchTemplate',
  'ec2:DescribeCapacityReservations',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceStatus',
  'ec2:DescribeInstanceTypeOfferings',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeInstances',
  'ec2:DescribeLaunchTemplates',
  'ec2:DescribePlacementGroups',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeSpotPriceHistory',
  'ec2:DescribeSubnets',
  'ec2:RunInstances',
  'ec2:TerminateInstances',
  'iam:AddRoleToInstanceProfile',
  'iam:DeleteInstanceProfile',
  'iam:GetInstanceProfile',
  'iam:ListInstanceProfiles',
  'iam:RemoveRoleFromInstanceProfile',
  'iam:TagInstanceProfile',
  'pricing:GetProducts',
  'ssm:GetParameter',
];

const hasOwnKey = ({ spec }: InstanceGroup): boolean =>
  spec.rootVolumeEncryption === true && (spec.rootVolumeEncryptionKey ?? '') !== '';

/**
 * Make and terminate the machines of groups with `manager: Karpenter`. The only role that Karpenter may give them is
 * that of nodes: with any other, it could take over the account.
 */
export function karpenter(context: AwsContext): Permissions {
  const groups = context.groups.filter((group) => !isScaledByAws(group));
  const role = `arn:${context.partition}:iam::*:role/${roleName(context.facts, 'Node')}`;
  return {
    anywhere: CALLS,
    statements: [
      ...allow(['iam:PassRole'], [role]),
      ...(groups.some(hasOwnKey) ? (encryption(context).statements ?? []) : []),
    ],
  };
}

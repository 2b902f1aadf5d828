import { CLUSTER_TAG } from '@kopsctl/clouds/aws/ownership.ts';
import type { PolicyDocument } from '@kopsctl/clouds/aws/kinds/iam.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';

/** One thing that a role may do, beyond the plain lists of `Permissions`. */
export type Statement = JsonObject;

/** What a component needs of AWS. Several are put together to one policy. */
export interface Permissions {
  /** On everything: calls that only look, and cannot be limited. */
  readonly anywhere?: readonly string[];
  /** On what carries the cluster's tag. */
  readonly onTagged?: readonly string[];
  /** Where the call itself gives the cluster's tag to what it makes. */
  readonly whenTagging?: readonly string[];
  /** EC2 calls that make things, and the resources that they make: those are tagged as they are made, and later only if they are the cluster's. */
  readonly ec2Creates?: readonly { readonly calls: readonly string[]; readonly resources: readonly string[] }[];
  readonly statements?: readonly Statement[];
}

export const POLICY_VERSION = '2012-10-17';

/**
 * One policy of everything that is asked for, or undefined where nothing is: AWS refuses an empty policy. The
 * order of statements and actions depends on what is asked for, not on who asks.
 */
export function policyOf(
  parts: readonly Permissions[],
  { clusterName, partition }: { readonly clusterName: string; readonly partition: string },
): PolicyDocument | undefined {
  const all = (pick: (part: Permissions) => readonly string[] | undefined) =>
    [...new Set(parts.flatMap((part) => pick(part) ?? []))].sort();
  const anywhere = all(({ anywhere: actions }) => actions);
  const onTagged = all(({ onTagged: actions }) => actions);
  const whenTagging = all((part) => [
    ...(part.whenTagging ?? []),
    ...(part.ec2Creates ?? []).flatMap(({ calls }) => calls.map((call) => `ec2:${call}`)),
  ]);
  const Statement = [
    ...distinct(
      parts.flatMap((part) => [
        ...(part.statements ?? []),
        ...(part.ec2Creates ?? []).flatMap((create) => tagging(create, clusterName, partition)),
      ]),
    ),
    ...allow(anywhere, '*'),
    ...allow(onTagged, '*', { StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: clusterName } }),
    ...allow(whenTagging, '*', { StringEquals: { [`aws:RequestTag/${CLUSTER_TAG}`]: clusterName } }),
    // A security group is made in a VPC, and a VPC has no tag in that call.
    ...(whenTagging.includes('ec2:CreateSecurityGroup')
      ? allow(['ec2:CreateSecurityGroup'], `arn:${partition}:ec2:*:*:vpc/*`)
      : []),
  ];
  return Statement.length === 0 ? undefined : { Statement, Version: POLICY_VERSION };
}

/** A statement that allows actions; none for no actions. One action stands alone, as AWS prints it. */
export function allow(actions: readonly string[], resource: Json, condition?: JsonObject): readonly Statement[] {
  if (actions.length === 0) return [];
  const [first = ''] = actions;
  return [
    {
      Action: actions.length === 1 ? first : actions,
      ...(condition === undefined ? {} : { Condition: condition }),
      Effect: 'Allow',
      Resource: resource,
    },
  ];
}

function tagging(
  { calls, resources }: { readonly calls: readonly string[]; readonly resources: readonly string[] },
  clusterName: string,
  partition: string,
): readonly Statement[] {
  const arns = resources.map((resource) => `arn:${partition}:ec2:*:*:${resource}/*`);
  return [
    ...allow(['ec2:CreateTags'], arns, {
      StringEquals: { [`aws:RequestTag/${CLUSTER_TAG}`]: clusterName, 'ec2:CreateAction': calls },
    }),
    // Other tags of the cluster's own things may change; the cluster's tag stays.
    ...allow(['ec2:CreateTags', 'ec2:DeleteTags'], arns, {
      Null: { [`aws:RequestTag/${CLUSTER_TAG}`]: 'true' },
      StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: clusterName },
    }),
  ];
}

function distinct(statements: readonly Statement[]): readonly Statement[] {
  return [...new Map(statements.map((one) => [JSON.stringify(one), one])).values()];
}

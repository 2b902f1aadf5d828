import { CLUSTER_TAG } from '../../../node/ownership.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { PolicyDocument } from '../../kinds/iam.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';

/** A statement that the lists of `Permissions` cannot express. */
export type Statement = JsonObject;

/** The permissions of a component. Those of several components are merged into one policy. */
export interface Permissions {
  /** On all resources: read-only calls, which cannot be restricted. */
  readonly anywhere?: readonly string[];
  /** On resources with the cluster's tag. */
  readonly onTagged?: readonly string[];
  /** On calls that give the cluster's tag to what they create. */
  readonly whenTagging?: readonly string[];
  /**
   * EC2 calls that create resources, and those resources: they may be tagged on creation, and later only if they have
   * the cluster's tag.
   */
  readonly ec2Creates?: readonly { readonly calls: readonly string[]; readonly resources: readonly string[] }[];
  readonly statements?: readonly Statement[];
}

export const POLICY_VERSION = '2012-10-17';

/**
 * In a cluster that kops made, kops's machines and addons still need what kops has allowed them. Releases of kops differ in
 * what they allow, so everything that is there is kept.
 */
export const kept = ({ isOfKops }: Pick<ClusterFacts, 'isOfKops'>): { readonly keepsOthers?: true } =>
  isOfKops ? { keepsOthers: true } : {};

/**
 * Merges permissions into one policy; undefined if there are none, because AWS refuses an empty policy. The order of
 * statements and actions depends on the permissions, not on the order of components.
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
    // A security group is created in a VPC, and that call sees no tags of the VPC.
    ...(whenTagging.includes('ec2:CreateSecurityGroup')
      ? allow(['ec2:CreateSecurityGroup'], `arn:${partition}:ec2:*:*:vpc/*`)
      : []),
  ];
  return Statement.length === 0 ? undefined : { Statement, Version: POLICY_VERSION };
}

/**
 * A statement that allows the actions; none if there are no actions. A single action is not a list, as AWS prints it.
 */
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
    // Other tags of the cluster's resources may change; the cluster's tag may not.
    ...allow(['ec2:CreateTags', 'ec2:DeleteTags'], arns, {
      Null: { [`aws:RequestTag/${CLUSTER_TAG}`]: 'true' },
      StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: clusterName },
    }),
  ];
}

function distinct(statements: readonly Statement[]): readonly Statement[] {
  return [...new Map(statements.map((one) => [JSON.stringify(one), one])).values()];
}

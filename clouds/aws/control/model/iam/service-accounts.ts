import type { Tags } from '../../../node/tag-list.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Json, JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { AwsContext } from '../aws-context.ts';
import { awsTask, outputOf } from '../aws-task.ts';
import { publishesDns } from '../dns.ts';
import { usesTerminationQueue } from '../node-termination.ts';
import { resourceTags } from '../tags.ts';
import { truncatedName } from '@kopsctl/model/truncated-name.ts';
import {
  CLUSTER_AUTOSCALER,
  cloudControllerManager,
  dnsRecords,
  ebsCsiDriver,
  encryption,
  loadBalancerController,
  NODE_TERMINATION_HANDLER,
} from './permissions.ts';
import { acmeChallenges, answersAcmeChallenges } from './acme-challenges.ts';
import { karpenter } from './karpenter.ts';
import { policyAttachment } from './policy-attachment.ts';
import { kept, type Permissions, POLICY_VERSION, policyOf } from './policy.ts';

interface ServiceAccount {
  readonly name: string;
  readonly namespace: string;
}

interface Component {
  readonly account: ServiceAccount;
  readonly permissions: readonly Permissions[];
}

const kubeSystem = (name: string): ServiceAccount => ({ name, namespace: 'kube-system' });

/** The components that call AWS, with their service accounts and permissions. */
export function components(context: AwsContext): readonly Component[] {
  const { spec } = context.facts;
  const dnsAccount = spec.externalDns?.provider === 'external-dns' ? 'external-dns' : 'dns-controller';
  return [
    ...(publishesDns(context) ? [{ account: kubeSystem(dnsAccount), permissions: [dnsRecords(context)] }] : []),
    ...(spec.cloudConfig?.awsEBSCSIDriver?.enabled === false
      ? []
      : [{ account: kubeSystem('ebs-csi-controller-sa'), permissions: [ebsCsiDriver(context), encryption(context)] }]),
    ...(spec.cloudControllerManager === undefined
      ? []
      : [{ account: kubeSystem('aws-cloud-controller-manager'), permissions: [cloudControllerManager(context)] }]),
    ...(spec.awsLoadBalancerController?.enabled === true
      ? [{ account: kubeSystem('aws-load-balancer-controller'), permissions: loadBalancerController(context) }]
      : []),
    ...(spec.clusterAutoscaler?.enabled === true
      ? [{ account: kubeSystem('cluster-autoscaler'), permissions: [CLUSTER_AUTOSCALER] }]
      : []),
    ...(usesTerminationQueue(context.facts)
      ? [{ account: kubeSystem('aws-node-termination-handler'), permissions: [NODE_TERMINATION_HANDLER] }]
      : []),
  ];
}

/**
 * Components that have a role only where each component has its own: control planes do not get the permissions of these
 * components (kops upup/pkg/fi/cloudup/bootstrapchannelbuilder).
 */
function withRoleOnly(context: AwsContext): readonly Component[] {
  const { spec } = context.facts;
  const handler = spec.nodeTerminationHandler?.enabled === true && !usesTerminationQueue(context.facts);
  return [
    ...(handler
      ? [{ account: kubeSystem('aws-node-termination-handler'), permissions: [NODE_TERMINATION_HANDLER] }]
      : []),
    ...(answersAcmeChallenges(context.facts)
      ? [{ account: kubeSystem('cert-manager'), permissions: [acmeChallenges(context)] }]
      : []),
    ...(spec.karpenter?.enabled === true
      ? [{ account: kubeSystem('karpenter'), permissions: [karpenter(context)] }]
      : []),
  ];
}

/** Whether each component has its own role instead of using the role of the control-plane machines. */
export const hasOwnRoles = ({ facts }: AwsContext): boolean =>
  facts.spec.iam?.useServiceAccountExternalPermissions === true;

/** Roles for the service accounts of components, and for those in the spec. */
export function serviceAccountRoles(context: AwsContext): readonly Task[] {
  const { facts } = context;
  const identity = { clusterName: facts.clusterName, partition: context.partition };
  const ours = hasOwnRoles(context)
    ? [...components(context), ...withRoleOnly(context)].flatMap(({ account, permissions }) =>
        accountRole(context, account, { policy: policyOf(permissions, identity) }),
      )
    : [];
  const theirs = (facts.spec.iam?.serviceAccountExternalPermissions ?? []).flatMap((wish) => {
    const account = {
      name: wish.name ?? '',
      namespace: completedValue('spec.iam.serviceAccountExternalPermissions[].namespace', wish.namespace),
    };
    const inline = wish.aws?.inlinePolicy;
    const policy = inline === undefined || inline === '' ? undefined : inlinePolicy(account, inline);
    const role = serviceAccountRoleName(context.facts, account);
    const managedPolicies = wish.aws?.policyARNs ?? [];
    return [
      ...accountRole(context, account, { policy, managedPolicies }),
      ...managedPolicies.map((arn) => policyAttachment(`external-${role}`, role, arn)),
    ];
  });
  return [...ours, ...theirs];
}

/** A namespace in the spec may contain wildcards; the name of a role may not. */
export function serviceAccountRoleName(
  { clusterName }: Pick<ClusterFacts, 'clusterName'>,
  { name, namespace }: ServiceAccount,
): string {
  return truncatedName(`${name}.${namespace}.sa.${clusterName}`.replaceAll('*', 'wildcard'), 64);
}

function accountRole(
  context: AwsContext,
  account: ServiceAccount,
  {
    policy,
    managedPolicies,
  }: { readonly policy: JsonObject | undefined; readonly managedPolicies?: readonly string[] },
): readonly Task[] {
  const name = serviceAccountRoleName(context.facts, account);
  const boundary = context.facts.spec.iam?.permissionsBoundary;
  const tags: Tags = {
    ...resourceTags(context.facts, name),
    'service-account.kops.k8s.io/name': account.name,
    'service-account.kops.k8s.io/namespace': account.namespace.replaceAll('*', 'wildcard'),
  };
  return [
    awsTask('aws/IamRole', name, {
      name,
      trust: trust(context, account),
      ...(boundary === undefined ? {} : { permissionsBoundary: boundary }),
      tags,
      unwantedPolicies: policy === undefined && kept(context.facts).keepsOthers !== true ? [name] : [],
      ...(managedPolicies && { managedPolicies }),
    }),
    ...(policy === undefined
      ? []
      : [
          awsTask('aws/IamRolePolicy', name, {
            name,
            role: outputOf('aws/IamRole', name, 'name'),
            policy,
            ...kept(context.facts),
          }),
        ]),
  ];
}

/** The trust policy: only tokens that the cluster issued to the account are accepted. */
function trust({ facts }: AwsContext, { name, namespace }: ServiceAccount): JsonObject {
  const issuer = (facts.spec.kubeAPIServer?.serviceAccountIssuer ?? '').replace(/^https:\/\//, '');
  const condition = namespace.includes('*') ? 'StringLike' : 'StringEquals';
  return {
    Statement: [
      {
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { [condition]: { [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${name}` } },
        Effect: 'Allow',
        Principal: { Federated: outputOf('aws/OidcProvider', facts.clusterName, 'arn') },
      },
    ],
    Version: POLICY_VERSION,
  };
}

function inlinePolicy(account: ServiceAccount, text: string): JsonObject {
  return {
    Statement: parseStatements(`the policy of service account ${account.namespace}/${account.name}`, text),
    Version: POLICY_VERSION,
  };
}

/** Parses the statements of a policy in the spec: a JSON list. */
export function parseStatements(what: string, text: string): Json {
  const refuse = (why: string, cause?: unknown) =>
    new ActionableError({
      what: `read ${what}`,
      why,
      next: 'write a JSON list of IAM statements',
      ...(cause === undefined ? {} : { cause }),
    });
  let parsed: Json;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (!Array.isArray(parsed)) throw refuse('it is not a list');
  return parsed;
}

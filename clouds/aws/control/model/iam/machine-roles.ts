import type { Text } from '@kopsctl/model/output.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from '../aws-context.ts';
import { awsTask, outputOf } from '../aws-task.ts';
import { publishesDns } from '../dns.ts';
import { servicesDomainOf } from '../../region.ts';
import { usesGossip } from '@kopsctl/model/discovery.ts';
import { runtimeHandlers } from '@kopsctl/model/runtime/runtime-handlers.ts';
import { resourceTags } from '../tags.ts';
import { hasLaunchHook } from '../warm-pool.ts';
import {
  CONTAINER_REGISTRY,
  dnsRecords,
  encryptionOfApi,
  etcdVolumes,
  ETCD_MEMBERS,
  INSTANCE_TYPES,
  IPV6_PREFIXES,
  IPV6_PREFIXES_OF_OTHERS,
  networkOperator,
  networkPlugin,
  REGISTRY_AS_CACHE,
  WARMED_UP,
} from './permissions.ts';
import { roleName } from './role-names.ts';
import { policyAttachment } from './policy-attachment.ts';
import { kept, type Permissions, POLICY_VERSION, policyOf } from './policy.ts';
import { renewedKeys, sealedState } from './sealed-state.ts';
import { components, hasOwnRoles, parseStatements } from './service-accounts.ts';
import { apiServerStore, controlPlaneStore, workerStore } from './state-store.ts';

/** What machine roles are called in tasks, and the keys of their policies in the spec. */
const NAMES: Readonly<Record<Role, { readonly key: string; readonly policies: readonly string[] }>> = {
  ControlPlane: { key: 'master', policies: ['control-plane', 'master'] },
  APIServer: { key: 'apiserver', policies: ['apiserver'] },
  Node: { key: 'node', policies: ['node'] },
  Bastion: { key: 'bastion', policies: ['bastion'] },
};

/** The name in `arn:aws:iam::123456789012:instance-profile/NAME`, which is all that a launch template needs. */
const profileName = (arn: string): string => arn.split('/').at(-1) ?? arn;

/** The name of the instance profile of a group: the one of its role, or one that the spec names. */
export function instanceProfileName({ facts }: AwsContext, group: InstanceGroup): string {
  const own = group.spec.iam?.profile;
  return own === undefined ? roleName(facts, roleOf(group)) : profileName(own);
}

/** The instance profile of a group. */
export const instanceProfileOf = (context: AwsContext, group: InstanceGroup): Text =>
  outputOf('aws/InstanceProfile', instanceProfileName(context, group), 'name');

/** A role, its policies and an instance profile for each role of machines in the cluster. */
export function machineRoles(context: AwsContext): readonly Task[] {
  const { groups } = context;
  const brought = groups.flatMap((group) => group.spec.iam?.profile ?? []);
  const roles = groups.filter((group) => group.spec.iam?.profile === undefined).map(roleOf);
  return [
    ...[...new Set(brought.map(profileName))].map((name) => awsTask('aws/InstanceProfile', name, { sharedId: name })),
    ...[...new Set(roles)].flatMap((role) => machineRole(context, role)),
  ];
}

function machineRole(context: AwsContext, role: Role): readonly Task[] {
  const { facts, partition } = context;
  const name = roleName(facts, role);
  const output = outputOf('aws/IamRole', name, 'name');
  const tags = resourceTags(facts, name);
  const boundary = facts.spec.iam?.permissionsBoundary;
  const policy = policyOf(permissionsOf(context, role), { clusterName: facts.clusterName, partition });
  const { key, policies } = NAMES[role];
  const additional = `additional.${name}`;
  const statements = policies.flatMap((one) => facts.spec.additionalPolicies?.[one] ?? []);
  const managedPolicies = externalPolicies(context, role);
  return [
    awsTask('aws/IamRole', name, {
      name,
      trust: machineTrust(context),
      ...(boundary === undefined ? {} : { permissionsBoundary: boundary }),
      tags,
      unwantedPolicies: statements.length === 0 ? [additional] : [],
      // As with kops, the spec names all of them (kops pkg/model/awsmodel/iam.go).
      managedPolicies,
    }),
    ...(policy === undefined
      ? []
      : [awsTask('aws/IamRolePolicy', name, { name, role: output, policy, ...kept(facts) })]),
    ...statements.map((text) => {
      const Statement = parseStatements(`spec.additionalPolicies of ${key}`, text);
      return awsTask('aws/IamRolePolicy', additional, {
        name: additional,
        role: output,
        policy: { Statement, Version: POLICY_VERSION },
      });
    }),
    ...managedPolicies.map((arn) => policyAttachment(`${key}-policyoverride`, name, arn)),
    awsTask('aws/InstanceProfile', name, { name, role: output, tags }),
  ];
}

function externalPolicies({ facts }: AwsContext, role: Role): readonly string[] {
  const arns = NAMES[role].policies.flatMap((key) => facts.spec.externalPolicies?.[key] ?? []);
  const foreign = arns.find((arn) => !arn.startsWith('arn:'));
  if (foreign !== undefined) {
    throw new ActionableError({
      what: `attach spec.externalPolicies of ${NAMES[role].key}`,
      why: `${foreign} is not an ARN`,
      next: 'write the ARN of a managed policy: arn:aws:iam::123456789012:policy/NAME',
    });
  }
  return arns.toSorted();
}

/** The trust policy: only EC2 may assume these roles. */
function machineTrust({ region }: AwsContext): JsonObject {
  return {
    Version: POLICY_VERSION,
    Statement: [
      { Effect: 'Allow', Principal: { Service: `ec2.${servicesDomainOf(region)}` }, Action: 'sts:AssumeRole' },
    ],
  };
}

function permissionsOf(context: AwsContext, role: Role): readonly Permissions[] {
  const { spec } = context.facts;
  const registry = [
    ...(spec.iam?.allowContainerRegistry === true ? [CONTAINER_REGISTRY] : []),
    ...(spec.containerd?.useECRCredentialsForMirrors === true ? [REGISTRY_AS_CACHE] : []),
  ];
  const ipv6 = spec.nonMasqueradeCIDR === '::/0';
  switch (role) {
    case 'ControlPlane':
      return [
        etcdVolumes(context),
        controlPlaneStore(context),
        sealedState(context),
        renewedKeys(context),
        // Machines publish their own names before anything runs in the cluster.
        ...(publishesDns(context) ? [dnsRecords(context)] : []),
        ...(hasOwnRoles(context) ? [] : components(context).flatMap(({ permissions }) => permissions)),
        ...registry,
        networkPlugin(context),
        networkOperator(context),
        ...(ipv6 ? [IPV6_PREFIXES_OF_OTHERS] : []),
        encryptionOfApi(context),
      ];
    case 'APIServer':
      return [
        apiServerStore(context),
        sealedState(context),
        encryptionOfApi(context),
        ...registry,
        networkPlugin(context),
        ...(usesGossip(context.facts) || publishesDns(context) ? [] : [ETCD_MEMBERS]),
        ...warmedUp(context, role),
      ];
    case 'Node':
      return [
        workerStore(context),
        ...registry,
        networkPlugin(context),
        ...(ipv6 ? [IPV6_PREFIXES] : []),
        ...(hasGpus(context) ? [INSTANCE_TYPES] : []),
        ...warmedUp(context, role),
      ];
    case 'Bastion':
      return [];
  }
}

const warmedUp = ({ groups }: AwsContext, role: Role): readonly Permissions[] =>
  groups.some((group) => roleOf(group) === role && hasLaunchHook(group)) ? [WARMED_UP] : [];

const hasGpus = ({ facts, groups }: AwsContext): boolean =>
  groups.some((group) => roleOf(group) === 'Node' && runtimeHandlers(facts.spec, group).nvidia !== undefined);

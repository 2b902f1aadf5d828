import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { accountEmail } from '../account-email.ts';
import { LONGEST_ACCOUNT_ID, suffixed } from '../names.ts';
import { projectOf } from '../region.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask, outputOf } from './gce-task.ts';
import { keyMembers } from './key-members.ts';
import { storeMembers } from './store-members.ts';

interface Account {
  readonly name: string;
  readonly description: string;
}

const CONTROL_PLANE: Account = { name: 'control-plane', description: 'kubernetes control-plane instances' };

/** API servers on machines of their own act as control planes (kops pkg/model/gcemodel/service_accounts.go). */
const ACCOUNTS: Readonly<Record<Role, Account>> = {
  ControlPlane: CONTROL_PLANE,
  APIServer: CONTROL_PLANE,
  Node: { name: 'node', description: 'kubernetes worker nodes' },
  Bastion: { name: 'bastion', description: 'bastion nodes' },
};

/**
 * What control planes may do in the project: machines, managed groups and their templates, disks, networks, and records of
 * Cloud DNS (kops uses the same). The cluster autoscaler and external-dns need no other.
 */
const CONTROL_PLANE_ROLE = 'roles/container.serviceAgent';

/** The names of all accounts that a cluster may make. */
export const ACCOUNT_NAMES: readonly string[] = [...new Set(Object.values(ACCOUNTS).map(({ name }) => name))];

/** The role of control planes, their account, and the task that gives it. */
export const CONTROL_PLANE_MEMBER = {
  role: CONTROL_PLANE_ROLE,
  account: CONTROL_PLANE.name,
  task: `serviceaccount-${CONTROL_PLANE.name}`,
} as const;

const isEmpty = (text: string | undefined): boolean => text === undefined || text === '';

/** The email of the account that machines of a group act as. */
export function accountOf({ facts }: GceContext, group: InstanceGroup): Text {
  const { gceServiceAccount } = facts.spec.cloudConfig ?? {};
  if (gceServiceAccount !== undefined && gceServiceAccount !== '') return gceServiceAccount;
  return outputOf('gce/ServiceAccount', ACCOUNTS[roleOf(group)].name, 'email');
}

/** The same email before the account is made. Undefined of an alias, such as `default`, which only Google can resolve. */
export function machineEmail(
  { clusterName, spec }: Pick<ClusterFacts, 'clusterName' | 'spec'>,
  group: InstanceGroup,
): string | undefined {
  const { gceServiceAccount = '' } = spec.cloudConfig ?? {};
  if (gceServiceAccount !== '') return gceServiceAccount.includes('@') ? gceServiceAccount : undefined;
  const accountId = suffixed(ACCOUNTS[roleOf(group)].name, clusterName, LONGEST_ACCOUNT_ID);
  return accountEmail(accountId, projectOf(clusterName, spec));
}

/** An account for each role, and its rights. An account that the spec names gets none, because it belongs to its owner. */
export function serviceAccounts(context: GceContext): readonly Task[] {
  const { facts, groups, project } = context;
  if (!isEmpty(facts.spec.cloudConfig?.gceServiceAccount)) return [];
  const accounts = new Set(groups.map((group) => ACCOUNTS[roleOf(group)]));
  return [
    ...[...accounts].map(({ name, description }) =>
      gceTask('gce/ServiceAccount', name, {
        project,
        accountId: suffixed(name, facts.clusterName, LONGEST_ACCOUNT_ID),
        displayName: name,
        description,
      }),
    ),
    ...(accounts.has(CONTROL_PLANE)
      ? [
          gceTask('gce/ProjectMember', CONTROL_PLANE_MEMBER.task, {
            project,
            role: CONTROL_PLANE_ROLE,
            account: outputOf('gce/ServiceAccount', CONTROL_PLANE.name, 'email'),
          }),
        ]
      : []),
    ...(accounts.has(CONTROL_PLANE)
      ? keyMembers(context, outputOf('gce/ServiceAccount', CONTROL_PLANE.name, 'email'))
      : []),
    ...storeMembers(context, {
      controlPlane: outputOf('gce/ServiceAccount', CONTROL_PLANE.name, 'email'),
      ...(accounts.has(ACCOUNTS.Node) && { node: outputOf('gce/ServiceAccount', ACCOUNTS.Node.name, 'email') }),
    }),
  ];
}

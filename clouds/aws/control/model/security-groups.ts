import type { Output } from '@kopsctl/model/output.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { securityGroupName, type SecurityGroupPurpose } from '../own-names.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { resourceTags } from './tags.ts';

/** A security group of machines or load balancers. */
export interface SecurityGroup {
  /** The name that its rules contain: `masters.example.com`, or `sg-1234-ControlPlane` of a group that the spec names. */
  readonly name: string;
  /** Distinguishes the rules of a group that the spec names from the rules of the default group: `` or `-sg-1234`. */
  readonly suffix: string;
  readonly id: Output;
  readonly task: Task;
}

type MachineRole = 'ControlPlane' | 'Node' | 'Bastion';

const PURPOSES: Readonly<Record<MachineRole, SecurityGroupPurpose>> = {
  ControlPlane: 'masters',
  Node: 'nodes',
  Bastion: 'bastion',
};

/** API servers share the security groups of the control plane. */
const groupRole = (role: Role): MachineRole => (role === 'APIServer' ? 'ControlPlane' : role);

/** The security groups of machines with a role: the default group, unless every instance group overrides it. */
export function securityGroupsOf(context: AwsContext, role: MachineRole): readonly SecurityGroup[] {
  const groups = context.groups.filter((group) => roleOf(group) === role);
  const own = new Set(groups.flatMap((group) => group.spec.securityGroupOverride ?? []));
  const usual = groups.some((group) => group.spec.securityGroupOverride === undefined);
  return [...[...own].map((id) => overriding(id, role)), ...(usual ? [securityGroup(context, PURPOSES[role])] : [])];
}

/** The main security group of an instance group, without additional ones. */
export function securityGroupOf(context: AwsContext, group: InstanceGroup): SecurityGroup {
  const role = groupRole(roleOf(group));
  const override = group.spec.securityGroupOverride;
  if (override !== undefined) return overriding(override, role);
  return securityGroup(context, PURPOSES[role]);
}

/** An existing security group that the spec names: only rules are added to it. They have the name that kops gives it. */
function overriding(id: string, role: MachineRole): SecurityGroup {
  const name = `${id}-${role}`;
  return {
    name,
    suffix: `-${id}`,
    id: outputOf('aws/SecurityGroup', name, 'id'),
    task: awsTask('aws/SecurityGroup', name, { sharedId: id }),
  };
}

export function securityGroup(context: AwsContext, purpose: SecurityGroupPurpose): SecurityGroup {
  const name = securityGroupName(purpose, context.facts.clusterName);
  return {
    name,
    suffix: '',
    id: outputOf('aws/SecurityGroup', name, 'id'),
    task: awsTask('aws/SecurityGroup', name, {
      vpc: context.vpc,
      name,
      description: `Security group for ${purpose.replace('-elb', ' ELB')}`,
      tags: resourceTags(context.facts, name),
    }),
  };
}

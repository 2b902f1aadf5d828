import type { Output } from '@kopsctl/clouds/aws/kinds/output.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { resourceTags } from './tags.ts';

/** A security group of machines or load balancers. */
export interface SecurityGroup {
  /** What its rules are called after: `masters.example.com`, or the id of one that the spec brings. */
  readonly name: string;
  /** Tells rules of a group of the spec's own from those of the usual one: `` or `-sg-1234`. */
  readonly suffix: string;
  readonly id: Output;
  readonly task: Task;
}

type MachineRole = 'ControlPlane' | 'Node' | 'Bastion';

const PREFIXES: Readonly<Record<MachineRole, string>> = { ControlPlane: 'masters', Node: 'nodes', Bastion: 'bastion' };

/** API servers stand beside the control plane's machines and share their security groups. */
const groupRole = (role: Role): MachineRole => (role === 'APIServer' ? 'ControlPlane' : role);

/** The security groups that machines of a role have: the usual one unless every group brings its own. */
export function securityGroupsOf(context: AwsContext, role: MachineRole): readonly SecurityGroup[] {
  const groups = context.groups.filter((group) => roleOf(group) === role);
  const own = new Set(groups.flatMap((group) => group.spec.securityGroupOverride ?? []));
  const usual = groups.some((group) => group.spec.securityGroupOverride === undefined);
  return [
    ...[...own].map((id) => overriding(id, role)),
    ...(usual ? [securityGroup(context, `${PREFIXES[role]}.${context.facts.clusterName}`, PREFIXES[role])] : []),
  ];
}

/** The one security group that an instance group's machines have before any that are added. */
export function securityGroupOf(context: AwsContext, group: InstanceGroup): SecurityGroup {
  const role = groupRole(roleOf(group));
  const override = group.spec.securityGroupOverride;
  if (override !== undefined) return overriding(override, role);
  return securityGroup(context, `${PREFIXES[role]}.${context.facts.clusterName}`, PREFIXES[role]);
}

/** A group brought by the spec: rules are added to it, nothing else is touched. */
function overriding(id: string, role: MachineRole): SecurityGroup {
  const name = `${id}-${PREFIXES[role]}`;
  return {
    name: id,
    suffix: `-${id}`,
    id: outputOf('aws/SecurityGroup', name, 'id'),
    task: awsTask('aws/SecurityGroup', name, { sharedId: id }),
  };
}

export function securityGroup(context: AwsContext, name: string, purpose: string): SecurityGroup {
  return {
    name,
    suffix: '',
    id: outputOf('aws/SecurityGroup', name, 'id'),
    task: awsTask('aws/SecurityGroup', name, {
      vpc: context.vpc,
      name,
      description: `Security group for ${purpose}`,
      tags: resourceTags(context.facts, name),
    }),
  };
}

import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import { truncatedName } from '@kopsctl/model/truncated-name.ts';

/** How the names of machine roles in IAM begin. */
const PREFIXES: Readonly<Record<Role, string>> = {
  ControlPlane: 'masters',
  APIServer: 'apiservers',
  Node: 'nodes',
  Bastion: 'bastions',
};

/** Names in IAM have at most 64 characters. */
export const roleName = ({ clusterName }: Pick<ClusterFacts, 'clusterName'>, role: Role): string =>
  truncatedName(`${PREFIXES[role]}.${clusterName}`, 64);

/** The role of a group's machines; undefined if it is that of an instance profile that the spec names. */
export const machineRoleOf = (facts: ClusterFacts, group: InstanceGroup): string | undefined =>
  group.spec.iam?.profile === undefined ? roleName(facts, roleOf(group)) : undefined;

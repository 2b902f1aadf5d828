import type { Role } from '@kopsctl/spec/names.ts';
import { roleTag } from '../names.ts';
import { type GceContext, hasRole } from './gce-context.ts';

/** kops's names of roles in labels and network tags. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  ControlPlane: 'control-plane',
  APIServer: 'apiserver',
  Node: 'node',
  Bastion: 'bastion',
};

/** Older versions of kops know control planes by it. */
const MASTER = 'master';

/** The network tags of the machines of a role. */
export const tagsOf = ({ facts }: GceContext, role: Role): readonly string[] =>
  [ROLE_NAMES[role], ...(role === 'ControlPlane' ? [MASTER] : [])].map((name) => roleTag(name, facts.clusterName));

/** The tags of machines with an API server. */
export const apiTags = (context: GceContext): readonly string[] => [
  roleTag(ROLE_NAMES.ControlPlane, context.facts.clusterName),
  ...(hasRole(context, 'APIServer') ? tagsOf(context, 'APIServer') : []),
];

/** The same, and the tag by which older versions of kops know control planes. */
export const controlPlaneTags = (context: GceContext): readonly string[] => [
  ...apiTags(context),
  roleTag(MASTER, context.facts.clusterName),
];

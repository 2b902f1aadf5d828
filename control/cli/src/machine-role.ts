import type { RollRequest } from '@kopsctl/actions/roll-cluster.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

type NodeRole = NonNullable<RollRequest['roles']>[number];

/** As kops spells them. */
const ROLES: Readonly<Record<string, NodeRole>> = {
  master: 'ControlPlane',
  'control-plane': 'ControlPlane',
  controlplane: 'ControlPlane',
  apiserver: 'APIServer',
  node: 'Node',
  bastion: 'Bastion',
};

/** The role that a word of --instance-group-roles names. */
export function roleOf(text: string): NodeRole {
  const role = ROLES[text.toLowerCase()];
  if (role !== undefined) return role;
  throw new ActionableError({
    what: 'read --instance-group-roles',
    why: `it is '${text}'`,
    next: 'use control-plane, apiserver, node or bastion',
  });
}

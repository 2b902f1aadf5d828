import type { RollRequest } from '@kopsctl/actions/roll-cluster.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { roleNamed } from '@kopsctl/spec/names.ts';

type NodeRole = NonNullable<RollRequest['roles']>[number];

/** What kops calls the roles where it prints them. */
const WORDS: Readonly<Record<string, string>> = {
  ControlPlane: 'control-plane',
  APIServer: 'apiserver',
  Node: 'node',
  Bastion: 'bastion',
} satisfies Record<NodeRole, string>;

export const wordOfRole = (role: string): string => WORDS[role] ?? role;

/** The role that a word of a flag names, in any case, and in the plural too. */
export function roleOf(text: string, flag = '--instance-group-roles'): NodeRole {
  const role = roleNamed(text.replace(/s$/i, ''));
  if (role !== undefined) return role;
  throw new ActionableError({
    what: `read ${flag}`,
    why: `it is '${text}'`,
    next: 'use control-plane, apiserver, node or bastion',
    isUsage: true,
  });
}

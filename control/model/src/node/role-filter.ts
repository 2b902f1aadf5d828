import { roleNamed } from '@kopsctl/spec/names.ts';
import type { NodeContext } from './node-context.ts';

/** Whether a file or hook is meant for this machine; without roles it is for all. */
export function appliesToRole(node: NodeContext, roles: readonly string[] | undefined): boolean {
  if (roles === undefined || roles.length === 0) return true;
  return roles.some((role) => roleNamed(role) === node.role);
}

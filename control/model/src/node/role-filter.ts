import type { NodeContext } from './node-context.ts';

/** Whether a file or hook is meant for this machine; without roles it is for all. */
export function appliesToRole(node: NodeContext, roles: readonly string[] | undefined): boolean {
  if (roles === undefined || roles.length === 0) return true;
  const names = node.isControlPlane ? ['Master', 'ControlPlane', 'control-plane'] : [node.role];
  return roles.some((role) => names.includes(role));
}

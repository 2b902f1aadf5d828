import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Scope } from './converge.ts';
import type { Preparation } from './prepare-cluster.ts';

/**
 * Refuses to prune beside some groups: what is no longer wanted shows only against the tasks of all groups.
 *
 * @throws ActionableError
 */
export function refusePartialPrune(
  { prune }: Scope,
  { roles, instanceGroups }: Pick<Preparation, 'roles' | 'instanceGroups'>,
): void {
  if (!prune || (roles === undefined && instanceGroups === undefined)) return;
  throw new ActionableError({
    what: 'prune beside some instance groups',
    isUsage: true,
    why: '--prune removes what no group of the cluster wants, and --instance-group and --instance-group-roles choose some of them',
    next: 'leave one of them out: first apply the groups, then prune the whole cluster with `kopsctl update cluster --prune --yes`',
  });
}

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isBeforeWorkers, targetOf } from './operation.ts';
import { readOperation } from './operation-journal.ts';
import { refuseBesideUpgrade } from './operation-lock.ts';

export interface Beside {
  /** What is refused, for the error. */
  readonly what: string;
  /** Only machines of these roles are changed; without it all. */
  readonly roles?: readonly NodeRole[] | undefined;
}

/**
 * Refuses to apply a spec while somebody upgrades or reconciles the cluster. Refuses to apply it to other machines than control
 * planes where an upgrade or a reconciliation was left before all of those were replaced: from then on, new workers would have
 * a newer kubelet than API servers.
 *
 * @throws ActionableError
 */
export async function refuseBesideOperation(
  store: StateStore,
  cluster: string,
  { what, roles = [] }: Beside,
  signal: AbortSignal,
): Promise<void> {
  await refuseBesideUpgrade(store, cluster, what);
  if (roles.length > 0 && roles.every((role) => role === 'ControlPlane')) return;
  const operation = await readOperation(store, cluster, signal);
  if (operation === undefined || !isBeforeWorkers(operation)) return;
  const named = operation.kind === 'Upgrade' ? 'an upgrade' : 'a reconciliation';
  throw new ActionableError({
    what,
    why: `${named} to ${targetOf(operation)} was left unfinished (${operation.state}) before all control planes were replaced: workers that are made now could have a newer kubelet than API servers`,
    next: `resume it: \`kopsctl rolling-update resume ${cluster}\`; or end it where it is with \`kopsctl rolling-update abort ${cluster}\`, and apply the spec in the right order with \`kopsctl reconcile cluster ${cluster} --yes\``,
  });
}

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isBeforeWorkers, targetOf } from './operation.ts';
import { readOperation } from './operation-journal.ts';
import { refuseBesideUpgrade } from './operation-lock.ts';

/**
 * Refuses to apply all of a spec while somebody upgrades or reconciles the cluster, and where an upgrade or a reconciliation
 * was left before all control planes were replaced: from then on, new workers would have a newer kubelet than API servers.
 *
 * @throws ActionableError
 */
export async function refuseBesideOperation(
  store: StateStore,
  cluster: string,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  await refuseBesideUpgrade(store, cluster, what);
  const operation = await readOperation(store, cluster, signal);
  if (operation === undefined || !isBeforeWorkers(operation)) return;
  const named = operation.kind === 'Upgrade' ? 'an upgrade' : 'a reconciliation';
  throw new ActionableError({
    what,
    why: `${named} to ${targetOf(operation)} was left unfinished (${operation.state}) before all control planes were replaced: workers that are made now could have a newer kubelet than API servers`,
    next: `go on with it: \`kopsctl rolling-update resume ${cluster}\`; or end it where it is with \`kopsctl rolling-update abort ${cluster}\`, and apply the spec in the right order with \`kopsctl reconcile cluster ${cluster} --yes\``,
  });
}

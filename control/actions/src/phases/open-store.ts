import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './action.ts';

/**
 * Opens the state store that the person named; as with kops, there is no default. Keysets, secrets and backups are where the
 * spec puts them, sealed objects are opened and sealed, and changes of specs are recorded in their history.
 */
export async function openStateStore({
  state,
  env,
  author,
}: Pick<ActionContext, 'state' | 'env' | 'author'>): Promise<StateStore> {
  // A script's variable may have no value.
  if (state === undefined || state === '') {
    throw new ActionableError({
      what: 'find the state store',
      why: 'neither --state nor KOPS_STATE_STORE is set',
      isUsage: true,
      next: 'name it, e.g. --state file:///var/lib/kopsctl/state or --state s3://BUCKET',
    });
  }
  const [{ openStore }, { openSealed }, { placedBySpec }, { personsStateKeys, sealingOf }] = await Promise.all([
    import('@kopsctl/state-store/open.ts'),
    import('@kopsctl/state-store/sealed/sealed-store.ts'),
    import('../store/place-state.ts'),
    import('../store/state-keys.ts'),
  ]);
  const store = placedBySpec(await openStore(state, env), (url) => openStore(url, env, { isPrivate: true }));
  const sealed = openSealed(store, {
    openKey: personsStateKeys(env),
    sealingOf: (cluster, signal) => sealingOf(store, cluster, signal),
  });
  if (author === undefined) return sealed;
  const { recordChanges } = await import('../history/record-changes.ts');
  return recordChanges(sealed, author);
}

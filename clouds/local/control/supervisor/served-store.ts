import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { openPlaced } from '@kopsctl/state-store/placed/placed-store.ts';
import { AS_IT_IS, openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { NetworkRecord } from '../records/records.ts';

/**
 * The store as it is served to machines. Keysets and secrets that are sealed are opened for those that may read them:
 * no machine has an identity of its own. The file is read whenever something is opened, and what is in it is not kept.
 */
export async function openServedStore({
  storeUrl,
  stateIdentity,
  storePlaces = [],
}: Pick<NetworkRecord, 'storeUrl' | 'stateIdentity' | 'storePlaces'>): Promise<StateStore> {
  const open = (url: string) => openStore(url, process.env);
  const store = openPlaced(await open(storeUrl), { placesOf: async () => storePlaces, open });
  const readIdentities = async (): Promise<readonly string[]> => {
    if (stateIdentity === undefined) throw withoutIdentity();
    const { readIdentityFile } = await import('@kopsctl/state-store/sealed/identity-file.ts');
    return readIdentityFile(stateIdentity);
  };
  return openSealed(store, {
    openKey: async (name) => (await import('@kopsctl/state-store/sealed/age-key.ts')).ageKey(name, readIdentities),
    sealingOf: AS_IT_IS,
  });
}

const withoutIdentity = (): ActionableError =>
  new ActionableError({
    what: 'open sealed objects for machines',
    why: 'the supervisor of this cluster has no identity file',
    next: 'add the annotation kopsctl.io/state-key to the Cluster, then run `kopsctl apply --yes`',
  });

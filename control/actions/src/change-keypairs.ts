import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { distrusted, isRotatable, promoted, pendingPair, trusted, withPair } from '@kopsctl/pki/keyset-changes.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import { changeKeyset, chooseKeysets, createKeyset, keysetNamed, listKeysets } from './keys/change-keyset.ts';
import { type BroughtPair, newPair } from './keys/new-pair.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';
import { readCluster } from './store/cluster-store.ts';

/** What became of one key pair. */
export interface ChangedKeypair {
  readonly keyset: string;
  readonly id: string;
  readonly change: 'created' | 'created as primary' | 'promoted' | 'distrusted' | 'trusted';
}

export interface ChangedKeypairs {
  readonly cluster: string;
  readonly changed: readonly ChangedKeypair[];
}

/** Changes the keysets that a person names, each by itself, under the cluster's lock. */
async function changeKeypairs(
  context: ActionContext,
  named: string,
  change: (keyset: Keyset) => Keyset | Promise<Keyset>,
): Promise<ChangedKeypairs> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  const names = await chooseKeysets(store, cluster, named);
  const changed = await withClusterLock(store, cluster, 'keypair', context, (signal) =>
    inPhase(context, 'change the key pairs', async () => {
      const all: ChangedKeypair[] = [];
      for (const name of names) {
        const { before, after } = await changeKeyset(store, cluster, name, change, signal);
        all.push(...differences(before, after));
      }
      return all;
    }),
  );
  return { cluster, changed };
}

/** What differs between two states of a keyset, pair by pair. Pure. */
function differences(before: Keyset, after: Keyset): readonly ChangedKeypair[] {
  const isNewPrimary = (id: string) => id === after.primaryId && id !== before.primaryId;
  return after.items.flatMap(({ id, distrustedMs }): readonly ChangedKeypair[] => {
    const was = before.items.find((item) => item.id === id);
    const change = (what: ChangedKeypair['change']) => [{ keyset: after.name, id, change: what }];
    if (was === undefined) return change(isNewPrimary(id) ? 'created as primary' : 'created');
    if (isNewPrimary(id)) return change('promoted');
    if ((was.distrustedMs === undefined) === (distrustedMs === undefined)) return [];
    return change(distrustedMs === undefined ? 'trusted' : 'distrusted');
  });
}

type CreateKeypairRequest = BroughtPair & { readonly keyset: string; readonly primary: boolean };

/** Adds a key pair to a keyset, or a new one to each that can be rotated (`all`). A primary pair may be the first one. */
export const createKeypair = async (given: ActionContext, request: CreateKeypairRequest): Promise<ChangedKeypairs> => {
  const context = { ...given, name: (await chooseCluster(given, undefined)).cluster };
  return (
    (await createFirstKeypair(context, request)) ??
    changeKeypairs(context, request.keyset, async (keyset) =>
      withPair(keyset, await newPair(keyset.name, request, { nowMs: Date.now(), env: context.env }), request.primary),
    )
  );
};

/**
 * This is how a person brings the authorities of a cluster before it is made (kops docs/custom_ca.md). Resolves with
 * undefined where the pair is not to be the first of its keyset.
 */
async function createFirstKeypair(
  context: ActionContext,
  { keyset: named, primary, ...brought }: CreateKeypairRequest,
): Promise<ChangedKeypairs | undefined> {
  const name = keysetNamed(named);
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  if (!isRotatable(name)) return undefined;
  if ((await readKeyset(store, cluster, name, context.signal)) !== undefined) return undefined;
  if (!primary) {
    // Where others are, the name may be misspelled, and that is told later.
    if ((await listKeysets(store, cluster)).length > 0) return undefined;
    throw new ActionableError({
      what: `create a key pair of the keyset ${name} of ${cluster}`,
      why: 'the cluster has no keysets yet, and the first pair of one has to be its primary pair',
      next: 'repeat the command with --primary, or let `kopsctl update cluster --yes` make the keysets',
    });
  }
  const item = await newPair(name, brought, { nowMs: Date.now(), env: context.env });
  if (item.privateKeyPem === undefined) {
    throw new ActionableError({
      what: `create the keyset ${name} of ${cluster}`,
      why: 'its first certificate has no key, and so could not sign',
      next: 'name the key of the certificate with --key',
    });
  }
  await withClusterLock(store, cluster, 'keypair', context, (signal) =>
    inPhase(context, 'store the key pair', () =>
      createKeyset(store, cluster, { name, primaryId: item.id, items: [item] }, signal),
    ),
  );
  return { cluster, changed: [{ keyset: name, id: item.id, change: 'created as primary' }] };
}

/** Makes a pair the one that signs; with `all` the newest of each keyset that has a newer one. */
export const promoteKeypair = (
  context: ActionContext,
  { keyset: named, id }: { readonly keyset: string; readonly id?: string | undefined },
): Promise<ChangedKeypairs> =>
  changeKeypairs(context, named, (keyset) =>
    named === 'all' && pendingPair(keyset) === undefined ? keyset : promoted(keyset, id),
  );

/** Takes away the trust in pairs; without ids, in all that are older than the ones that sign. */
export const distrustKeypair = (
  context: ActionContext,
  { keyset: named, ids }: { readonly keyset: string; readonly ids: readonly string[] },
): Promise<ChangedKeypairs> => changeKeypairs(context, named, (keyset) => distrusted(keyset, ids, Date.now()));

/** Gives pairs their trust back. */
export const trustKeypair = (
  context: ActionContext,
  { keyset: named, ids }: { readonly keyset: string; readonly ids: readonly string[] },
): Promise<ChangedKeypairs> => changeKeypairs(context, named, (keyset) => trusted(keyset, ids));

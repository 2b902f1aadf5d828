import { readCluster } from './store/cluster-store.ts';
import { type ListedKeypair, listKeypairs, type ListedSshPublicKey, listSshPublicKeys } from './keys/list-keys.ts';
import { unknownKeyset } from './keys/change-keyset.ts';
import type { ActionContext } from './phases/action.ts';
import { type ChosenCluster, chooseCluster } from './phases/choose-cluster.ts';
import { listSecrets, unknownSecret } from './keys/secrets.ts';

/** The names of a cluster's secrets, of those that are named; never what is in them. @throws ActionableError for one that does not exist */
export async function getSecrets(context: ActionContext, named: readonly string[]): Promise<readonly string[]> {
  const { store, cluster } = await chosen(context);
  const names = await listSecrets(store, cluster);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownSecret(`find the secret ${unknown} of ${cluster}`, names);
  return named.length === 0 ? names : names.filter((name) => named.includes(name));
}

export interface KeypairsRequest {
  /** Only the pairs of these keysets; empty for all. */
  readonly keysets: readonly string[];
  /** Also the pairs that nobody trusts any more. */
  readonly distrusted: boolean;
}

/** A cluster's key pairs, without their private halves. @throws ActionableError for a keyset that does not exist */
export async function getKeypairs(
  context: ActionContext,
  { keysets, distrusted }: KeypairsRequest,
): Promise<readonly ListedKeypair[]> {
  const { store, cluster } = await chosen(context);
  const all = await listKeypairs(store, cluster);
  const known = new Set(all.map(({ keyset }) => keyset));
  const unknown = keysets.find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownKeyset(cluster, unknown, [...known]);
  return all.filter(
    (pair) => (keysets.length === 0 || keysets.includes(pair.keyset)) && (distrusted || pair.distrusted === undefined),
  );
}

/** The keys that may log in to a cluster's machines. */
export async function getSshPublicKeys(context: ActionContext): Promise<readonly ListedSshPublicKey[]> {
  const { store, cluster } = await chosen(context);
  return listSshPublicKeys(store, cluster);
}

/** @throws ActionableError where the store does not hold the cluster: an empty list would look like success */
async function chosen(context: ActionContext): Promise<ChosenCluster> {
  const { store, cluster } = await chooseCluster(context, undefined);
  await readCluster(store, cluster);
  return { store, cluster };
}

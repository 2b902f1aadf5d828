import { randomBytes } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { STATE_KEY_ANNOTATION } from '@kopsctl/spec/own-annotations.ts';
import { isAgeKey, type StateKeySetting, stateKeyOf } from '@kopsctl/spec/state-key.ts';
import { DATA_KEY_BYTES } from '@kopsctl/state-store/sealed/envelope.ts';
import type { OpenStateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { stateKeyHandler } from '../handlers/state-key.ts';
import { storeEnv } from '../handlers/store-env.ts';
import { CLUSTER_CA } from '../store/object-paths.ts';

/**
 * Refuses a key of the state store with which somebody would be locked out: the person, who could seal and not open
 * again, or the machines, which would lose the right to open what is still sealed with another key. Changes nothing.
 */
export async function checkStateKey(
  store: StateStore,
  cluster: Pick<Cluster, 'metadata'>,
  openKey: OpenStateKey,
  signal: AbortSignal,
): Promise<void> {
  const setting = stateKeyOf(cluster);
  if (setting === undefined) return refuseForgottenKey(store, cluster.metadata.name, signal);
  if (setting.sealsWith !== undefined) await tryKey(setting.sealsWith, cluster.metadata.name, openKey, signal);
  await refuseLeftKeys(store, cluster.metadata.name, setting, signal);
}

/** @throws ActionableError where the person cannot open what the key seals */
async function tryKey(name: string, cluster: string, openKey: OpenStateKey, signal: AbortSignal): Promise<void> {
  const key = await openKey(name, signal);
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const object = { cluster, path: 'secrets/a-trial' };
  const opened = await key.unwrap(await key.wrap(dataKey, object, signal), object, signal);
  if (dataKey.equals(opened)) return;
  throw new ActionableError({
    what: `try the key ${name}`,
    why: 'it does not give back what it sealed',
    next: `name another one in ${STATE_KEY_ANNOTATION}`,
  });
}

async function refuseForgottenKey(store: StateStore, cluster: string, signal: AbortSignal): Promise<void> {
  const ca = await store.read(`${cluster}/${CLUSTER_CA}`, signal);
  if (ca?.sealedWith === undefined) return;
  throw new ActionableError({
    what: `remove ${STATE_KEY_ANNOTATION} from ${cluster}`,
    why: `keysets and secrets are sealed with ${ca.sealedWith}, which machines could no longer open`,
    next: `put the annotation back, or set it to ${clearWith(ca.sealedWith)} to have them in the clear`,
  });
}

async function refuseLeftKeys(
  store: StateStore,
  cluster: string,
  { sealsWith, opensWith }: StateKeySetting,
  signal: AbortSignal,
): Promise<void> {
  const objects = await stateKeyHandler.find('state-key', {}, storeEnv(store, cluster), signal);
  const left = objects?.find(
    ({ sealedWith }) => sealedWith && !isAgeKey(sealedWith) && !opensWith.includes(sealedWith),
  );
  if (left?.sealedWith === undefined) return;
  throw new ActionableError({
    what: `change the key of ${cluster}`,
    why: `${left.path} is sealed with ${left.sealedWith}, which machines could no longer open before it is written again`,
    next: `write ${sealsWith === undefined ? clearWith(left.sealedWith) : `${sealsWith},${left.sealedWith}`}, apply, then remove the old key`,
  });
}

const clearWith = (key: string): string => (isAgeKey(key) ? 'none' : `none,${key}`);

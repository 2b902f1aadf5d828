import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isAgeKey, stateKeyOf } from '@kopsctl/spec/state-key.ts';
import type { Sealing } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { OpenStateKey, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findClusterSpec } from './cluster-store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The file with the person's age identities. */
export function stateIdentityOf(env: Env): string {
  const named = env['KOPSCTL_STATE_IDENTITY'];
  if (named) return resolve(named);
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  return join(config, 'kopsctl', 'state-identity');
}

/** Opens keys with what the person has: an identity of age, or rights in a cloud. Each key is opened once. */
export function personsStateKeys(env: Env): OpenStateKey {
  const opened = new Map<string, Promise<StateKey>>();
  return (name) => {
    const key = opened.get(name) ?? openKey(name, env);
    opened.set(name, key);
    return key;
  };
}

async function openKey(name: string, env: Env): Promise<StateKey> {
  if (isAgeKey(name)) {
    const [{ ageKey }, { readIdentityFile }] = await Promise.all([
      import('@kopsctl/state-store/sealed/age-key.ts'),
      import('@kopsctl/state-store/sealed/identity-file.ts'),
    ]);
    return ageKey(name, () => readIdentityFile(stateIdentityOf(env)));
  }
  const { CLOUDS } = await import('@kopsctl/clouds/control.ts');
  const cloud = CLOUDS.find(({ traits }) => traits.stateKeys?.isKey(name));
  if (cloud?.openStateKey !== undefined) return cloud.openStateKey(name, env);
  throw new ActionableError({
    what: `use the key ${JSON.stringify(name)}`,
    why: 'this build does not know this kind of key',
    next: 'use the build of kopsctl that sealed with it',
  });
}

/** How objects of a cluster are to be written, as its stored spec says. If it says nothing, what is sealed stays sealed. */
export async function sealingOf(store: StateStore, cluster: string, signal: AbortSignal | undefined): Promise<Sealing> {
  const spec = await findClusterSpec(store, cluster, signal);
  const setting = spec && stateKeyOf(spec);
  if (setting === undefined) return 'as it is';
  return setting.sealsWith === undefined ? 'in the clear' : { with: setting.sealsWith };
}

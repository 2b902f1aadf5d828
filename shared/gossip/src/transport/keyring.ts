import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isKey } from '../wire/encrypt.ts';

/** The keys of a cluster. During a key change, peers hold the old and the new key, in either order. */
export class Keyring {
  #keys: readonly Uint8Array[];

  constructor(keys: readonly Uint8Array[]) {
    this.#keys = checkedKeys(keys);
  }

  /** The first key encrypts, all of them decrypt. */
  get keys(): readonly Uint8Array[] {
    return this.#keys;
  }

  /**
   * Replaces the keys. To change the key of a cluster, give all peers both keys with the old one first, then both with
   * the new one first, then the new one alone.
   */
  replace(keys: readonly Uint8Array[]): void {
    this.#keys = checkedKeys(keys);
  }
}

function checkedKeys(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  const wrong = keys.find((key) => !isKey(key));
  if (keys.length > 0 && wrong === undefined) return [...keys];
  throw new ActionableError({
    what: 'encrypt gossip',
    why: wrong === undefined ? 'there is no key' : `a key has ${wrong.length} bytes`,
    next: 'give at least one key of 16, 24 or 32 random bytes, e.g. the output of `openssl rand -base64 32`',
  });
}

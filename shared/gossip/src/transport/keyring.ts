import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isKey } from '../wire/encrypt.ts';

/** How much a peer has used the key that encrypts. */
export interface KeyUse {
  /** The messages that this peer has encrypted with it. */
  readonly messages: number;
  /** For how long it has counted them. */
  readonly forMs: number;
}

/**
 * The keys of a cluster. During a key change, peers hold the old and the new key, in either order. Nonces are random, so
 * a key may encrypt 2^32 messages of all peers together (NIST SP 800-38D, section 8.3).
 */
export class Keyring {
  #keys: readonly Uint8Array[];
  readonly #nowMs: () => number;
  #messages = 0;
  #sinceMs: number;

  constructor(keys: readonly Uint8Array[], nowMs: () => number) {
    this.#keys = checkedKeys(keys);
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** The first key encrypts, all of them decrypt. */
  get keys(): readonly Uint8Array[] {
    return this.#keys;
  }

  get use(): KeyUse {
    return { messages: this.#messages, forMs: this.#nowMs() - this.#sinceMs };
  }

  /** Counts messages that the first key encrypts. */
  encrypts(messages: number): void {
    this.#messages += messages;
  }

  /**
   * Replaces the keys. To change the key of a cluster, give all peers both keys with the old one first, then both with
   * the new one first, then the new one alone.
   */
  replace(keys: readonly Uint8Array[]): void {
    const before = this.#keys[0];
    this.#keys = checkedKeys(keys);
    const first = this.#keys[0];
    if (before !== undefined && first !== undefined && Buffer.compare(before, first) === 0) return;
    this.#messages = 0;
    this.#sinceMs = this.#nowMs();
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

/** What all peers of a cluster share. */
export interface Secrecy {
  /** The first encrypts, any of them decrypts, so that keys can be changed one peer after the other. */
  readonly keys: readonly Uint8Array[];
  /** Keeps clusters apart that happen to reach each other; empty for none. */
  readonly label: string;
}

/** The key that encrypts. Nothing is ever sent in the clear. */
export function primaryKey(secrecy: Secrecy): Uint8Array {
  const [primary] = secrecy.keys;
  if (primary === undefined) throw new Error('a keyring without a single key');
  return primary;
}

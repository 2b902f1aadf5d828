/** The secrets and the label that all peers of a cluster share. */
export interface Secrecy {
  /** The first key encrypts, any of them decrypts, so that the peers can change keys one after the other. */
  readonly keys: readonly Uint8Array[];
  /** Separates clusters that can reach each other; empty for none. */
  readonly label: string;
}

/** The key that encrypts. Nothing is sent unencrypted. */
export function primaryKey(secrecy: Secrecy): Uint8Array {
  const [primary] = secrecy.keys;
  if (primary === undefined) throw new Error('the keyring is empty');
  return primary;
}

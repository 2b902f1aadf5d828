/** An object that is sealed where its cluster names a key: what it is, bound into its envelope. */
export interface SealedObject {
  readonly cluster: string;
  /** Below the cluster's folder, e.g. `pki/private/kubernetes-ca/keyset.yaml`. */
  readonly path: string;
}

/** A key that wraps the data keys of envelopes. */
export interface StateKey {
  /** As the spec names it and envelopes carry it. */
  readonly name: string;
  /** Encrypts a data key of 32 bytes, for this object alone where the key can bind that. */
  wrap(dataKey: Uint8Array, object: SealedObject, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** @throws ActionableError if this process has no right to the key, or the key did not make these bytes */
  unwrap(wrapped: Uint8Array, object: SealedObject, signal: AbortSignal | undefined): Promise<Uint8Array>;
}

/** Opens a key by its name, which may come from an envelope, so from anyone who can write the store. */
export type OpenStateKey = (name: string, signal: AbortSignal | undefined) => Promise<StateKey>;

/** Folders of a cluster whose objects are sealed: the private halves of keysets, and secrets. */
export const SEALED_FOLDERS = ['pki/private', 'secrets'] as const;

/** What would be sealed at a path of the store; undefined for a path that never is. */
export function sealedObjectAt(path: string): SealedObject | undefined {
  const [, cluster, below] = /^([^/]+)\/(.+)$/.exec(path) ?? [];
  if (cluster === undefined || below === undefined) return undefined;
  return SEALED_FOLDERS.some((folder) => below.startsWith(`${folder}/`)) ? { cluster, path: below } : undefined;
}

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** What a store holds at a path. `version` is opaque (an ETag, a hash); equal versions mean equal bytes. */
export interface Stored {
  readonly bytes: Uint8Array;
  readonly version: string;
  /** The name of the key that the object is sealed with, where it is sealed and was read through openSealed. */
  readonly sealedWith?: string;
}

/** What a store holds at a path, as a stream. `chunks` is read once; a caller that does not read it to its end aborts the signal. */
export interface StoredStream {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly size: number;
  readonly version: string;
}

export interface Entry {
  /** Relative to the store's root, `/`-separated, no leading slash. */
  readonly path: string;
  readonly size: number;
  readonly version: string;
  readonly modifiedMs: number;
}

/** No write is blind: each one states what it expects to be there. */
export type WriteCondition = { readonly ifAbsent: true } | { readonly ifVersion: string };

/**
 * The cluster's only shared truth. Every backend (file, s3, gcs, http, memory) passes the one suite
 * in testing/conformance.ts. Paths are relative to the root and are refused when they contain `..` or are absolute.
 * An object that does not exist is `undefined`, never an error.
 */
export interface StateStore {
  /** The root as the user wrote it, e.g. `s3://bucket/prefix` or `file:///var/lib/kops`. */
  readonly url: string;
  read(path: string, signal?: AbortSignal): Promise<Stored | undefined>;
  /** @throws ConflictError when the condition does not hold; nothing was written then. */
  write(path: string, bytes: Uint8Array, condition: WriteCondition, signal?: AbortSignal): Promise<{ version: string }>;
  /**
   * Like `read`, for objects too large for memory. A connection that breaks is an error of `chunks`, never a short end.
   */
  readStream(path: string, signal?: AbortSignal): Promise<StoredStream | undefined>;
  /**
   * Like `write`, for objects too large for memory: `chunks` is read once, so nothing is retried here. The object appears
   * when it is complete; when `chunks` or the store fails, nothing is written and nothing is left behind.
   *
   * @throws ConflictError when the condition does not hold.
   */
  writeStream(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    condition: WriteCondition,
    signal?: AbortSignal,
  ): Promise<{ version: string }>;
  /** Removes the object; with `ifVersion`, only while it is unchanged (ConflictError otherwise). It need not exist. */
  delete(path: string, condition?: { readonly ifVersion: string }, signal?: AbortSignal): Promise<void>;
  /** Every object below `prefix` (a folder, or '' for all), sorted by path. */
  list(prefix: string, signal?: AbortSignal): Promise<readonly Entry[]>;
}

/** A conditional write found something other than it expected. */
export class ConflictError extends ActionableError {
  override readonly name = 'ConflictError';
  readonly path: string;
  constructor(url: string, path: string, why: string) {
    super({
      what: `write ${path} in ${url}`,
      why,
      next: 'read it again (it was changed in the meantime), then repeat the command',
    });
    this.path = path;
  }
}

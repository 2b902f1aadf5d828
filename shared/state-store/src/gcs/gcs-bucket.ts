import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { bucketLocation } from '../bucket-location.ts';
import { conflictOf } from '../condition.ts';
import { RESERVED_PREFIX } from '../path.ts';
import type { WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { type GcsClient, type GcsObject, type GcsPage, openGcsClient } from './gcs-client.ts';
import { explainGcsError, isAbsent, isForbidden, isPassing } from './gcs-error.ts';
import { googleToken } from './gcs-token.ts';

export interface GcsOptions {
  /** A server other than Google's, e.g. an emulator. */
  readonly endpoint?: string;
  /** Whether credentials are sent to that server, as they are to Google's. */
  readonly hasCredentials?: boolean;
  /** How long the server may say nothing; two minutes by default. */
  readonly silenceMs?: number;
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]*$/;
const GOOGLE = 'https://storage.googleapis.com';
/** After the last byte of a gigabyte the server is silent for a while. */
const SILENCE_MS = 2 * 60_000;

/** Four tries within about three seconds; longer waits belong to the caller's own deadline. */
const PACE: Pace = { retries: 3, minTimeout: 100, factor: 5, maxTimeout: 2000, randomize: true };

/** The part of a bucket that a store is in. */
export class GcsBucket {
  readonly url: string;
  readonly bucket: string;
  readonly client: GcsClient;
  readonly #keyPrefix: string;
  /** Google gives one reason for an object and for a bucket that is not there: the bucket is asked for until it answers. */
  #wasThere = false;

  constructor(url: string, options: GcsOptions) {
    const { bucket, keyPrefix } = bucketLocation(url, ['gs://'], BUCKET_NAME);
    const sendsToken = options.endpoint === undefined || options.hasCredentials === true;
    this.url = url;
    this.bucket = bucket;
    this.#keyPrefix = keyPrefix;
    this.client = openGcsClient({
      endpoint: (options.endpoint ?? GOOGLE).replace(/\/+$/, ''),
      bucket,
      silenceMs: options.silenceMs ?? SILENCE_MS,
      ...(sendsToken && { token: googleToken() }),
    });
  }

  keyOf(path: string): string {
    return this.#keyPrefix + path;
  }

  /** The path of an object in the store, by its key. */
  pathOf(key: string): string {
    return key.slice(this.#keyPrefix.length);
  }

  /** Does something with the bucket, again where it may succeed a moment later. */
  attempt<T>(what: string, signal: AbortSignal | undefined, work: (attempt: number) => Promise<T>): Promise<T> {
    const explain = (thrown: unknown): unknown => explainGcsError(thrown, what, this.bucket);
    return askAgain(work, { pace: PACE, isPassing, explain }, signal);
  }

  /** Undefined when there is no object. */
  async find(path: string, signal: AbortSignal | undefined): Promise<GcsObject | undefined> {
    try {
      const found = await this.client.find(this.keyOf(path), signal);
      this.#wasThere = true;
      return found;
    } catch (thrown) {
      if (!isAbsent(thrown) || (await this.isAbsent(signal))) throw thrown;
      return undefined;
    }
  }

  /** One page of the objects below a folder. */
  async list(folder: string, pageToken: string | undefined, signal: AbortSignal | undefined): Promise<GcsPage> {
    const page = await this.client.list(this.keyOf(folder), pageToken, signal);
    this.#wasThere = true;
    return page;
  }

  /** Whether the bucket itself is not there. */
  async isAbsent(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#wasThere) return false;
    try {
      await this.list(`${RESERVED_PREFIX}/`, undefined, signal);
      return false;
    } catch (thrown) {
      // A caller without the right to list learns that an object is absent only if the bucket exists.
      if (isForbidden(thrown)) return false;
      if (isAbsent(thrown)) return true;
      throw thrown;
    }
  }

  /** The object as it is now; `get` gets that generation of it. Undefined when there is none. */
  async current<T>(
    path: string,
    signal: AbortSignal | undefined,
    get: (there: GcsObject) => Promise<T>,
  ): Promise<T | undefined> {
    for (;;) {
      const there = await this.find(path, signal);
      if (there === undefined) return undefined;
      try {
        return await get(there);
      } catch (thrown) {
        // Replaced in between: look again.
        if (!isAbsent(thrown)) throw thrown;
      }
    }
  }

  /** Why a condition does not hold, as far as a second look tells. */
  async conflict(path: string, condition: WriteCondition, signal: AbortSignal | undefined): Promise<ConflictError> {
    const version = (await this.find(path, signal).catch(() => undefined))?.generation;
    const why = conflictOf(condition, version) ?? 'another writer wrote it at the same moment';
    return new ConflictError(this.url, path, why);
  }
}

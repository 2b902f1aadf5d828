import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { bucketLocation } from '../bucket-location.ts';
import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { Entry, StateStore, Stored, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { wholeObject } from '../whole-object.ts';
import { openGcsClient, type GcsObject } from './gcs-client.ts';
import { explainGcsError, isAbsent, isConflict, isForbidden, isPassing } from './gcs-error.ts';
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

/**
 * A store in a bucket of Google Cloud Storage. The version is the generation of the object, and conditions are its
 * generation preconditions, which Cloud Storage holds for every bucket: 0 means that nothing may be there.
 */
export function createGcsStore(url: string, options: GcsOptions = {}): StateStore {
  const { bucket, keyPrefix } = bucketLocation(url, ['gs://'], BUCKET_NAME);
  const sendsToken = options.endpoint === undefined || options.hasCredentials === true;
  const client = openGcsClient({
    endpoint: (options.endpoint ?? GOOGLE).replace(/\/+$/, ''),
    bucket,
    silenceMs: options.silenceMs ?? SILENCE_MS,
    ...(sendsToken && { token: googleToken() }),
  });
  let bucketWasThere = false;

  async function attempt<T>(
    what: string,
    signal: AbortSignal | undefined,
    work: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const explain = (thrown: unknown): unknown => explainGcsError(thrown, what, bucket);
    return askAgain(work, { pace: PACE, isPassing, explain }, signal);
  }

  /** Undefined when there is no object. */
  async function look(path: string, signal?: AbortSignal): Promise<GcsObject | undefined> {
    try {
      const found = await client.find(keyPrefix + path, signal);
      bucketWasThere = true;
      return found;
    } catch (thrown) {
      if (!isAbsent(thrown) || (await isBucketAbsent(signal))) throw thrown;
      return undefined;
    }
  }

  /** Google gives one reason for an object and for a bucket that is not there, so the bucket itself is asked, once. */
  async function isBucketAbsent(signal?: AbortSignal): Promise<boolean> {
    if (bucketWasThere) return false;
    try {
      await client.list(`${keyPrefix}${RESERVED_PREFIX}/`, undefined, signal);
      bucketWasThere = true;
      return false;
    } catch (thrown) {
      // A caller without the right to list learns that an object is absent only if the bucket exists.
      if (isForbidden(thrown)) return false;
      if (isAbsent(thrown)) return true;
      throw thrown;
    }
  }

  /** The object as it is now; `get` gets that generation of it. */
  async function current<T>(
    path: string,
    signal: AbortSignal | undefined,
    get: (there: GcsObject) => Promise<T>,
  ): Promise<T | undefined> {
    for (;;) {
      const there = await look(path, signal);
      if (there === undefined) return undefined;
      try {
        return await get(there);
      } catch (thrown) {
        // Replaced in between: look again.
        if (!isAbsent(thrown)) throw thrown;
      }
    }
  }

  const read = (path: string, signal?: AbortSignal): Promise<Stored | undefined> =>
    current(path, signal, async ({ generation }) => ({
      bytes: await client.read(keyPrefix + path, generation, signal),
      version: generation,
    }));

  const open = (path: string, signal?: AbortSignal) =>
    current(path, signal, async (there) => ({
      there,
      body: await client.readStream(keyPrefix + path, there.generation, signal),
    }));

  async function conflict(path: string, condition: WriteCondition, signal?: AbortSignal): Promise<ConflictError> {
    const version = (await look(path, signal).catch(() => undefined))?.generation;
    const why = conflictOf(condition, version) ?? 'another writer wrote it at the same moment';
    return new ConflictError(url, path, why);
  }

  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      return attempt(`read ${path} in ${url}`, signal, () => read(path, signal));
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      return attempt(`write ${path} in ${url}`, signal, async (attempt) => {
        try {
          return { version: (await client.upload(keyPrefix + path, bytes, expectedBy(condition), signal)).generation };
        } catch (thrown) {
          if (!isConflict(thrown)) throw thrown;
          // The conflict may be with our own earlier try, whose answer was lost.
          const there = attempt > 1 ? await read(path, signal) : undefined;
          if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
          throw await conflict(path, condition, signal);
        }
      });
    },

    async readStream(path, signal) {
      checkPath(url, path);
      const what = `read ${path} in ${url}`;
      const opened = await attempt(what, signal, () => open(path, signal));
      if (opened === undefined) return undefined;
      const { there, body } = opened;
      const chunks = wholeObject(there.size, body, signal, (thrown) => explainGcsError(thrown, what, bucket));
      return { chunks, size: there.size, version: there.generation };
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      const what = `write ${path} in ${url}`;
      const there = await attempt(what, signal, () => look(path, signal));
      // Compared before anything is sent, since the server compares only when it has the whole object.
      if (conflictOf(condition, there?.generation) !== undefined) throw await conflict(path, condition, signal);
      try {
        // One request, which the caller repeats when it fails; the object appears with the last byte.
        return { version: (await client.upload(keyPrefix + path, chunks, expectedBy(condition), signal)).generation };
      } catch (thrown) {
        signal?.throwIfAborted();
        if (isConflict(thrown)) throw await conflict(path, condition, signal);
        throw explainGcsError(thrown, what, bucket);
      }
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      await attempt(`delete ${path} in ${url}`, signal, async () => {
        try {
          if (condition !== undefined && !isGeneration(condition.ifVersion)) {
            if ((await look(path, signal)) === undefined) return;
            throw await conflict(path, condition, signal);
          }
          await client.remove(keyPrefix + path, condition?.ifVersion, signal);
        } catch (thrown) {
          if (isAbsent(thrown) && !(await isBucketAbsent(signal))) return;
          if (condition !== undefined && isConflict(thrown)) throw await conflict(path, condition, signal);
          throw thrown;
        }
      });
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(url, prefix);
      const what = `list ${prefix === '' ? 'all' : prefix} in ${url}`;
      const found: Entry[] = [];
      let pageToken: string | undefined;
      do {
        const page = await attempt(what, signal, () => client.list(keyPrefix + folder, pageToken, signal));
        for (const { name, size, generation, updated } of page.objects) {
          const path = name.slice(keyPrefix.length);
          // A console's "folder", or something of the store itself.
          if (path === '' || path.endsWith('/') || path.startsWith(RESERVED_PREFIX)) continue;
          found.push({ path, size, version: generation, modifiedMs: Date.parse(updated) });
        }
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      bucketWasThere = true;
      return found.sort((a, b) => comparePaths(a.path, b.path));
    },
  };
}

/** The generation that has to be there. A version of another store is not one and matches no object: generations are never 1. */
function expectedBy(condition: WriteCondition): string {
  if ('ifAbsent' in condition) return '0';
  return isGeneration(condition.ifVersion) ? condition.ifVersion : '1';
}

function isGeneration(version: string): boolean {
  return /^\d+$/.test(version);
}

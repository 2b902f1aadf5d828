import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bucket, File } from '@google-cloud/storage';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { StateStore, Stored, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { explainGcsError, isAbsent, isConflict, isPassing } from './gcs-error.ts';

export interface GcsOptions {
  /** A server other than Google's, e.g. an emulator. */
  readonly endpoint?: string;
  /** Whether credentials are sent to that server, as they are to Google's. */
  readonly hasCredentials?: boolean;
}

/** Four tries within about three seconds; longer waits belong to the caller's own deadline. */
const PACE: Pace = { retries: 3, minTimeout: 100, factor: 5, maxTimeout: 2000, randomize: true };

/**
 * A store in a bucket of Google Cloud Storage. The version is the generation of the object, and conditions are its
 * generation preconditions, which Cloud Storage holds for every bucket: 0 means that nothing may be there. The
 * client is loaded at the first operation.
 */
export function createGcsStore(url: string, options: GcsOptions = {}): StateStore {
  const { bucketName, keyPrefix } = locationOf(url);
  let opened: Promise<Bucket> | undefined;

  function open(): Promise<Bucket> {
    opened ??= import('@google-cloud/storage').then(({ Storage }) => {
      // Only we know whether a conflict may be with an earlier try of ours, so Google's client does not retry.
      const retryOptions = { autoRetry: false };
      const endpoint = options.endpoint && {
        apiEndpoint: options.endpoint,
        projectId: 'none',
        useAuthWithCustomEndpoint: options.hasCredentials === true,
      };
      return new Storage({ retryOptions, ...endpoint }).bucket(bucketName);
    });
    return opened;
  }

  const fileOf = async (path: string, generation?: string): Promise<File> =>
    (await open()).file(keyPrefix + path, generation === undefined ? {} : { generation });

  async function attempt<T>(
    what: string,
    signal: AbortSignal | undefined,
    work: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const explain = (thrown: unknown): unknown => explainGcsError(thrown, what, bucketName);
    return askAgain(work, { pace: PACE, isPassing, explain }, signal);
  }

  /** Undefined when there is no object. */
  async function look(path: string): Promise<{ readonly generation: string; readonly size: number } | undefined> {
    try {
      const [metadata] = await (await fileOf(path)).getMetadata();
      return { generation: String(metadata.generation), size: Number(metadata.size) };
    } catch (thrown) {
      if (!isAbsent(thrown) || /bucket/i.test(String(thrown))) throw thrown;
      return undefined;
    }
  }

  async function read(path: string): Promise<Stored | undefined> {
    for (;;) {
      const there = await look(path);
      if (there === undefined) return undefined;
      try {
        const [bytes] = await (await fileOf(path, there.generation)).download();
        return { bytes, version: there.generation };
      } catch (thrown) {
        // Replaced in between: look again.
        if (!isAbsent(thrown)) throw thrown;
      }
    }
  }

  async function conflict(path: string, condition: WriteCondition): Promise<ConflictError> {
    const version = (await look(path).catch(() => undefined))?.generation;
    const why = conflictOf(condition, version) ?? 'another writer wrote it at the same moment';
    return new ConflictError(url, path, why);
  }

  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      return attempt(`read ${path} in ${url}`, signal, () => read(path));
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      return attempt(`write ${path} in ${url}`, signal, async (attempt) => {
        const file = await fileOf(path);
        try {
          await file.save(Buffer.from(bytes), { resumable: false, preconditionOpts: preconditionOf(condition) });
          return { version: generationOf(file) };
        } catch (thrown) {
          if (!isConflict(thrown)) throw thrown;
          // The conflict may be with our own earlier try, whose answer was lost.
          const there = attempt > 1 ? await read(path) : undefined;
          if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
          throw await conflict(path, condition);
        }
      });
    },

    async readStream(path, signal) {
      checkPath(url, path);
      const what = `read ${path} in ${url}`;
      const there = await attempt(what, signal, () => look(path));
      if (there === undefined) return undefined;
      const stream = (await fileOf(path, there.generation)).createReadStream({ decompress: false });
      const chunks = exactly(there.size, stream, signal, (thrown) => explainGcsError(thrown, what, bucketName));
      return { chunks, size: there.size, version: there.generation };
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      const what = `write ${path} in ${url}`;
      const there = await attempt(what, signal, () => look(path));
      // Compared before anything is sent, since the server compares only when it has the whole object.
      if (conflictOf(condition, there?.generation) !== undefined) throw await conflict(path, condition);
      const file = await fileOf(path);
      // One request, which the caller repeats when it fails; the object appears with the last byte.
      const target = file.createWriteStream({ resumable: false, preconditionOpts: preconditionOf(condition) });
      try {
        await pipeline(Readable.from(chunks), target, signal === undefined ? {} : { signal });
        return { version: generationOf(file) };
      } catch (thrown) {
        signal?.throwIfAborted();
        if (isConflict(thrown)) throw await conflict(path, condition);
        throw explainGcsError(thrown, what, bucketName);
      }
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      await attempt(`delete ${path} in ${url}`, signal, async () => {
        try {
          const named = condition === undefined ? {} : { ifGenerationMatch: condition.ifVersion };
          if (condition !== undefined && !isGeneration(condition.ifVersion)) {
            if ((await look(path)) === undefined) return;
            throw await conflict(path, condition);
          }
          await (await fileOf(path)).delete(named);
        } catch (thrown) {
          if (isAbsent(thrown)) return;
          if (condition !== undefined && isConflict(thrown)) throw await conflict(path, condition);
          throw thrown;
        }
      });
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(url, prefix);
      return attempt(`list ${prefix === '' ? 'all' : prefix} in ${url}`, signal, async () => {
        const [files] = await (await open()).getFiles({ prefix: keyPrefix + folder, autoPaginate: true });
        return files
          .map(({ name, metadata }) => ({
            path: name.slice(keyPrefix.length),
            size: Number(metadata.size),
            version: String(metadata.generation),
            modifiedMs: Date.parse(metadata.updated ?? ''),
          }))
          .filter(({ path }) => path !== '' && !path.endsWith('/') && !path.startsWith(RESERVED_PREFIX))
          .sort((a, b) => comparePaths(a.path, b.path));
      });
    },
  };
}

function locationOf(url: string): { readonly bucketName: string; readonly keyPrefix: string } {
  const match = /^gs:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/s.exec(url);
  const bucketName = match?.[1];
  if (bucketName === undefined) {
    throw new ActionableError({
      what: `open the state store ${url}`,
      why: 'it names no bucket',
      next: 'name it by --state or KOPS_STATE_STORE as gs://<bucket> or gs://<bucket>/<prefix>',
    });
  }
  const prefix = (match?.[2] ?? '').split('/').filter((part) => part !== '');
  return { bucketName, keyPrefix: prefix.map((part) => `${part}/`).join('') };
}

/** A version of another store is not a generation and matches no object: generations are never 1. */
function preconditionOf(condition: WriteCondition): { readonly ifGenerationMatch: string | number } {
  if ('ifAbsent' in condition) return { ifGenerationMatch: 0 };
  return { ifGenerationMatch: isGeneration(condition.ifVersion) ? condition.ifVersion : 1 };
}

function isGeneration(version: string): boolean {
  return /^\d+$/.test(version);
}

function generationOf(file: File): string {
  const { generation } = file.metadata;
  if (generation === undefined) throw new Error('Cloud Storage did not answer with the generation that it wrote');
  return String(generation);
}

/** Without the length, a connection that ends early looks like the end of the object. */
async function* exactly(
  size: number,
  stream: Readable,
  signal: AbortSignal | undefined,
  explain: (thrown: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  const stop = (): void => void stream.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      seen += chunk.byteLength;
      yield chunk;
    }
    signal?.throwIfAborted();
    if (seen !== size) throw new Error(`the connection ended after ${seen} of ${size} bytes`);
  } catch (thrown) {
    signal?.throwIfAborted();
    throw explain(thrown);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

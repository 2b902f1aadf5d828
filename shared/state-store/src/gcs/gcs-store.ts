import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { Entry, StateStore, Stored, StoredStream, WriteCondition } from '../store.ts';
import { wholeObject } from '../whole-object.ts';
import { GcsBucket, type GcsOptions } from './gcs-bucket.ts';
import { explainGcsError, isAbsent, isConflict } from './gcs-error.ts';

/**
 * A store in a bucket of Google Cloud Storage. The version is the generation of the object, and conditions are its
 * generation preconditions, which Cloud Storage holds for every bucket: 0 means that nothing may be there.
 */
export function createGcsStore(url: string, options: GcsOptions = {}): StateStore {
  const bucket = new GcsBucket(url, options);
  return {
    url,
    async read(path, signal) {
      checkPath(url, path);
      return bucket.attempt(`read ${path} in ${url}`, signal, () => readObject(bucket, path, signal));
    },
    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      const writing = { path, condition, bytes };
      return bucket.attempt(`write ${path} in ${url}`, signal, (attempt) =>
        writeObject(bucket, { ...writing, isFirst: attempt === 1 }, signal),
      );
    },
    async readStream(path, signal) {
      checkPath(url, path);
      return streamObject(bucket, path, signal);
    },
    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return uploadObject(bucket, { path, condition, chunks }, signal);
    },
    async delete(path, condition, signal) {
      checkPath(url, path);
      await bucket.attempt(`delete ${path} in ${url}`, signal, () => deleteObject(bucket, { path, condition }, signal));
    },
    async list(prefix, signal) {
      return listObjects(bucket, prefix, signal);
    },
  };
}

type Signal = AbortSignal | undefined;
type Written = Awaited<ReturnType<StateStore['write']>>;

const readObject = (at: GcsBucket, path: string, signal: Signal): Promise<Stored | undefined> =>
  at.current(path, signal, async ({ generation }) => ({
    bytes: await at.client.read(at.keyOf(path), generation, signal),
    version: generation,
  }));

interface Writing {
  readonly path: string;
  readonly condition: WriteCondition;
}

async function writeObject(
  at: GcsBucket,
  { path, condition, bytes, isFirst }: Writing & { readonly bytes: Uint8Array; readonly isFirst: boolean },
  signal: Signal,
): Promise<Written> {
  try {
    return { version: (await at.client.upload(at.keyOf(path), bytes, expectedBy(condition), signal)).generation };
  } catch (thrown) {
    if (!isConflict(thrown)) throw thrown;
    // The conflict may be with our own earlier try, whose answer was lost.
    const there = isFirst ? undefined : await readObject(at, path, signal);
    if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
    throw await at.conflict(path, condition, signal);
  }
}

async function streamObject(at: GcsBucket, path: string, signal: Signal): Promise<StoredStream | undefined> {
  const what = `read ${path} in ${at.url}`;
  const opened = await at.attempt(what, signal, () =>
    at.current(path, signal, async (there) => ({
      there,
      body: await at.client.readStream(at.keyOf(path), there.generation, signal),
    })),
  );
  if (opened === undefined) return undefined;
  const { there, body } = opened;
  const chunks = wholeObject(there.size, body, signal, (thrown) => explainGcsError(thrown, what, at.bucket));
  return { chunks, size: there.size, version: there.generation };
}

async function uploadObject(
  at: GcsBucket,
  { path, condition, chunks }: Writing & { readonly chunks: AsyncIterable<Uint8Array> },
  signal: Signal,
): Promise<Written> {
  const what = `write ${path} in ${at.url}`;
  const there = await at.attempt(what, signal, () => at.find(path, signal));
  // Compared before anything is sent, since the server compares only when it has the whole object.
  if (conflictOf(condition, there?.generation) !== undefined) throw await at.conflict(path, condition, signal);
  try {
    // One request, which the caller repeats when it fails; the object appears with the last byte.
    return { version: (await at.client.upload(at.keyOf(path), chunks, expectedBy(condition), signal)).generation };
  } catch (thrown) {
    signal?.throwIfAborted();
    if (isConflict(thrown)) throw await at.conflict(path, condition, signal);
    throw explainGcsError(thrown, what, at.bucket);
  }
}

async function deleteObject(
  at: GcsBucket,
  { path, condition }: { readonly path: string; readonly condition: { readonly ifVersion: string } | undefined },
  signal: Signal,
): Promise<void> {
  try {
    if (condition !== undefined && !isGeneration(condition.ifVersion)) {
      if ((await at.find(path, signal)) === undefined) return;
      throw await at.conflict(path, condition, signal);
    }
    await at.client.remove(at.keyOf(path), condition?.ifVersion, signal);
  } catch (thrown) {
    if (isAbsent(thrown) && !(await at.isAbsent(signal))) return;
    if (condition !== undefined && isConflict(thrown)) throw await at.conflict(path, condition, signal);
    throw thrown;
  }
}

async function listObjects(at: GcsBucket, prefix: string, signal: Signal): Promise<Entry[]> {
  const folder = folderOfPrefix(at.url, prefix);
  const what = `list ${prefix === '' ? 'all' : prefix} in ${at.url}`;
  const found: Entry[] = [];
  let pageToken: string | undefined;
  do {
    const page = await at.attempt(what, signal, () => at.list(folder, pageToken, signal));
    for (const { name, size, generation, updated } of page.objects) {
      const path = at.pathOf(name);
      // A console's "folder", or something of the store itself.
      if (path === '' || path.endsWith('/') || path.startsWith(RESERVED_PREFIX)) continue;
      found.push({ path, size, version: generation, modifiedMs: Date.parse(updated) });
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return found.sort((a, b) => comparePaths(a.path, b.path));
}

/** The generation that has to be there. A version of another store is not one and matches no object: generations are never 1. */
function expectedBy(condition: WriteCondition): string {
  if ('ifAbsent' in condition) return '0';
  return isGeneration(condition.ifVersion) ? condition.ifVersion : '1';
}

function isGeneration(version: string): boolean {
  return /^\d+$/.test(version);
}

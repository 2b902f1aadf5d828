import { Readable } from 'node:stream';
import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { Entry, StateStore, Stored, StoredStream, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { wholeObject } from '../whole-object.ts';
import { uploadStream } from './multipart.ts';
import { type S3Bucket, s3Bucket } from './s3-bucket.ts';
import { explainS3Error, factsOf, isAbsent, isConflict } from './s3-error.ts';
import { creationHeaders, type S3Options } from './s3-options.ts';

/**
 * A store in a bucket of S3 or of a server that speaks it. The version is the ETag. The AWS SDK is loaded at the
 * first operation, and the first write finds out whether the server honours conditions (probe.ts).
 */
export function createS3Store(url: string, options: S3Options = {}): StateStore {
  const bucket = s3Bucket(url, options);
  return {
    url,
    async read(path, signal) {
      checkPath(url, path);
      return readObject(bucket, path, signal);
    },
    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      return writeObject(bucket, { path, bytes, condition }, signal);
    },
    async readStream(path, signal) {
      checkPath(url, path);
      return streamObject(bucket, path, signal);
    },
    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      return uploadObject(bucket, { path, chunks, condition }, signal);
    },
    async delete(path, condition, signal) {
      checkPath(url, path);
      return deleteObject(bucket, { path, condition }, signal);
    },
    async list(prefix, signal) {
      return listObjects(bucket, prefix, signal);
    },
  };
}

type Signal = AbortSignal | undefined;
type Written = Awaited<ReturnType<StateStore['write']>>;

async function readObject(at: S3Bucket, path: string, signal: Signal): Promise<Stored | undefined> {
  const { sdk, client } = await at.open();
  try {
    const reply = await client.send(new sdk.GetObjectCommand(at.target(path)), abortable(signal));
    const bytes = (await reply.Body?.transformToByteArray()) ?? new Uint8Array();
    return { bytes, version: versionOf(reply.ETag) };
  } catch (thrown) {
    // An abort while the body arrives is reported as a broken connection.
    signal?.throwIfAborted();
    if (isAbsent(thrown)) return undefined;
    throw explainS3Error(thrown, `read ${path} in ${at.url}`, at.bucket);
  }
}

interface Writing {
  readonly path: string;
  readonly condition: WriteCondition;
}

async function writeObject(
  at: S3Bucket,
  { path, bytes, condition }: Writing & { readonly bytes: Uint8Array },
  signal: Signal,
): Promise<Written> {
  await at.refuseBlindWrites(signal);
  const { sdk, client } = await at.open();
  const put = new sdk.PutObjectCommand({
    ...at.target(path),
    Body: bytes,
    ...creationHeaders(at.options),
    ...conditionOf(condition),
  });
  try {
    return { version: versionOf((await client.send(put, abortable(signal))).ETag) };
  } catch (thrown) {
    if (!isConflict(thrown)) throw explainS3Error(thrown, `write ${path} in ${at.url}`, at.bucket);
    // The SDK repeats a request whose answer was lost, so the conflict may be with our own first attempt.
    const there = factsOf(thrown).attempts > 1 ? await readObject(at, path, signal) : undefined;
    if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
    throw new ConflictError(at.url, path, conflictReason(condition));
  }
}

async function streamObject(at: S3Bucket, path: string, signal: Signal): Promise<StoredStream | undefined> {
  const { sdk, client } = await at.open();
  const explain = (thrown: unknown) => explainS3Error(thrown, `read ${path} in ${at.url}`, at.bucket);
  try {
    const get = new sdk.GetObjectCommand(at.target(path));
    const { Body, ContentLength: size, ETag } = await client.send(get, abortable(signal));
    if (!(Body instanceof Readable) || size === undefined)
      throw new Error('the S3 server sent neither body nor length');
    return { chunks: wholeObject(size, Body, signal, explain), size, version: versionOf(ETag) };
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw explain(thrown);
  }
}

async function uploadObject(
  at: S3Bucket,
  { path, chunks, condition }: Writing & { readonly chunks: Parameters<StateStore['writeStream']>[1] },
  signal: Signal,
): Promise<Written> {
  await at.refuseBlindWrites(signal);
  const { sdk, client } = await at.open();
  try {
    // Compared before anything is sent, since the server compares only when it has the whole object.
    const conflict = conflictOf(condition, await versionAt(at, path, signal));
    if (conflict !== undefined) throw new ConflictError(at.url, path, conflict);
    const upload = {
      sdk,
      client,
      target: at.target(path),
      headers: creationHeaders(at.options),
      condition: conditionOf(condition),
      sending: abortable(signal),
    };
    return { version: versionOf(await uploadStream(upload, chunks)) };
  } catch (thrown) {
    if (isConflict(thrown)) throw new ConflictError(at.url, path, conflictReason(condition));
    throw explainS3Error(thrown, `write ${path} in ${at.url}`, at.bucket);
  }
}

/** Undefined if there is no object. */
async function versionAt(at: S3Bucket, path: string, signal: Signal): Promise<string | undefined> {
  const { sdk, client } = await at.open();
  try {
    return versionOf((await client.send(new sdk.HeadObjectCommand(at.target(path)), abortable(signal))).ETag);
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

async function deleteObject(
  at: S3Bucket,
  { path, condition }: { readonly path: string; readonly condition: { readonly ifVersion: string } | undefined },
  signal: Signal,
): Promise<void> {
  const { sdk, client } = await at.open();
  try {
    if (condition !== undefined) {
      // AWS compares since 2025; other servers ignore If-Match on DELETE, so we compare as well.
      const version = await versionAt(at, path, signal);
      if (version === undefined) return;
      if (version !== condition.ifVersion) throw new ConflictError(at.url, path, conflictReason(condition));
    }
    const ifMatch = condition === undefined ? {} : { IfMatch: `"${condition.ifVersion}"` };
    await client.send(new sdk.DeleteObjectCommand({ ...at.target(path), ...ifMatch }), abortable(signal));
  } catch (thrown) {
    if (thrown instanceof ConflictError) throw thrown;
    if (isAbsent(thrown)) return;
    if (condition !== undefined && isConflict(thrown)) throw new ConflictError(at.url, path, conflictReason(condition));
    throw explainS3Error(thrown, `delete ${path} in ${at.url}`, at.bucket);
  }
}

async function listObjects(at: S3Bucket, prefix: string, signal: Signal): Promise<Entry[]> {
  const folder = folderOfPrefix(at.url, prefix);
  const { sdk, client } = await at.open();
  const entries: Entry[] = [];
  try {
    const { Bucket, Key } = at.target(folder);
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: Key }, abortable(signal));
    for await (const page of pages) {
      signal?.throwIfAborted();
      for (const object of page.Contents ?? []) {
        const path = at.pathOf(object.Key ?? '');
        if (path === '' || path.endsWith('/') || path.startsWith(RESERVED_PREFIX)) continue; // A console's "folder", or a probe.
        entries.push({
          path,
          size: object.Size ?? 0,
          version: versionOf(object.ETag),
          modifiedMs: object.LastModified?.getTime() ?? 0,
        });
      }
    }
  } catch (thrown) {
    throw explainS3Error(thrown, `list ${prefix === '' ? 'all' : prefix} in ${at.url}`, at.bucket);
  }
  return entries.sort((a, b) => comparePaths(a.path, b.path));
}

function abortable(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { abortSignal: signal };
}

/** Nearly all servers send ETags with quotes; without quotes, an ETag is the same string in conditions and lists. */
function versionOf(etag: string | undefined): string {
  if (etag === undefined) throw new Error('the S3 server sent no ETag');
  return etag.replaceAll('"', '');
}

function conditionOf(condition: WriteCondition) {
  return 'ifAbsent' in condition ? { IfNoneMatch: '*' } : { IfMatch: `"${condition.ifVersion}"` };
}

function conflictReason(condition: WriteCondition): string {
  if ('ifAbsent' in condition) return 'it was to be created, but it already exists';
  return `it was to replace version ${condition.ifVersion}, but that is no longer there`;
}

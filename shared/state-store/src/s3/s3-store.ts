import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { beforeAbort } from '../before-abort.ts';
import { bucketLocation } from '../bucket-location.ts';
import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { Entry, StateStore, Stored, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { wholeObject } from '../whole-object.ts';
import { probeConditionalWrites } from './probe.ts';
import { explainS3Error, factsOf, isAbsent, isConflict } from './s3-error.ts';
import { uploadStream } from './multipart.ts';
import { creationHeaders, type S3Options } from './s3-options.ts';
import { S3_SCHEMES } from './s3-schemes.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]*$/;
const SILENCE_MS = 2 * 60_000;
/** The probe makes some thirty small requests. */
const PROBE_WITHIN_MS = 10 * 60_000;

/**
 * A store in a bucket of S3 or of a server that speaks it. The version is the ETag. The AWS SDK is loaded at the
 * first operation, and the first write finds out whether the server honours conditions (probe.ts).
 */
export function createS3Store(url: string, options: S3Options = {}): StateStore {
  const { bucket, keyPrefix } = bucketLocation(url, S3_SCHEMES, BUCKET_NAME);
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  let probed: Promise<void> | undefined;

  function open() {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: new sdk.S3Client(clientConfigOf(options)) }));
    return opened;
  }

  async function refuseBlindWrites(signal?: AbortSignal): Promise<void> {
    // Amazon S3 honours conditions everywhere since 2024, and a machine may not write where the probe would write.
    if (options.allowBlindWrites === true || options.endpoint === undefined) return;
    probed ??= open().then(({ sdk, client }) => probeConditionalWrites({ sdk, client, bucket, keyPrefix, url }));
    const probing = probed.catch((thrown: unknown) => {
      probed = undefined; // A probe that failed decides nothing; the next write tries again.
      throw thrown;
    });
    // Other writes wait for the same probe, so it outlives the write that was aborted.
    await beforeAbort(probing, signal, PROBE_WITHIN_MS);
  }

  async function read(path: string, signal?: AbortSignal): Promise<Stored | undefined> {
    const { sdk, client } = await open();
    try {
      const reply = await client.send(
        new sdk.GetObjectCommand({ Bucket: bucket, Key: keyPrefix + path }),
        abortable(signal),
      );
      const bytes = (await reply.Body?.transformToByteArray()) ?? new Uint8Array();
      return { bytes, version: versionOf(reply.ETag) };
    } catch (thrown) {
      // An abort while the body arrives is reported as a broken connection.
      signal?.throwIfAborted();
      if (isAbsent(thrown)) return undefined;
      throw explainS3Error(thrown, `read ${path} in ${url}`, bucket);
    }
  }

  async function refuseIfStale(path: string, condition: WriteCondition, signal?: AbortSignal): Promise<void> {
    const { sdk, client } = await open();
    const head = new sdk.HeadObjectCommand({ Bucket: bucket, Key: keyPrefix + path });
    const version = await client.send(head, abortable(signal)).then(
      ({ ETag }) => versionOf(ETag),
      (thrown: unknown) => {
        if (isAbsent(thrown)) return undefined;
        throw thrown;
      },
    );
    const conflict = conflictOf(condition, version);
    if (conflict !== undefined) throw new ConflictError(url, path, conflict);
  }

  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      return read(path, signal);
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      await refuseBlindWrites(signal);
      const { sdk, client } = await open();
      const put = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: keyPrefix + path,
        Body: bytes,
        ...creationHeaders(options),
        ...conditionOf(condition),
      });
      try {
        return { version: versionOf((await client.send(put, abortable(signal))).ETag) };
      } catch (thrown) {
        if (!isConflict(thrown)) throw explainS3Error(thrown, `write ${path} in ${url}`, bucket);
        // The SDK repeats a request whose answer was lost, so the conflict may be with our own first attempt.
        const there = factsOf(thrown).attempts > 1 ? await read(path, signal) : undefined;
        if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return { version: there.version };
        throw new ConflictError(url, path, conflictReason(condition));
      }
    },

    async readStream(path, signal) {
      checkPath(url, path);
      const { sdk, client } = await open();
      const what = `read ${path} in ${url}`;
      try {
        const get = new sdk.GetObjectCommand({ Bucket: bucket, Key: keyPrefix + path });
        const { Body, ContentLength: size, ETag } = await client.send(get, abortable(signal));
        if (!(Body instanceof Readable) || size === undefined)
          throw new Error('the S3 server sent neither body nor length');
        const explain = (thrown: unknown) => explainS3Error(thrown, what, bucket);
        return { chunks: wholeObject(size, Body, signal, explain), size, version: versionOf(ETag) };
      } catch (thrown) {
        if (isAbsent(thrown)) return undefined;
        throw explainS3Error(thrown, what, bucket);
      }
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      await refuseBlindWrites(signal);
      const { sdk, client } = await open();
      const target = { Bucket: bucket, Key: keyPrefix + path };
      const sending = abortable(signal);
      try {
        // Compared before anything is sent, since the server compares only when it has the whole object.
        await refuseIfStale(path, condition, signal);
        const upload = {
          sdk,
          client,
          target,
          headers: creationHeaders(options),
          condition: conditionOf(condition),
          sending,
        };
        return { version: versionOf(await uploadStream(upload, chunks)) };
      } catch (thrown) {
        if (isConflict(thrown)) throw new ConflictError(url, path, conflictReason(condition));
        throw explainS3Error(thrown, `write ${path} in ${url}`, bucket);
      }
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      const { sdk, client } = await open();
      const target = { Bucket: bucket, Key: keyPrefix + path };
      try {
        if (condition !== undefined) {
          // AWS compares since 2025; other servers ignore If-Match on DELETE, so we compare as well.
          const head = await client.send(new sdk.HeadObjectCommand(target), abortable(signal));
          if (versionOf(head.ETag) !== condition.ifVersion)
            throw new ConflictError(url, path, conflictReason(condition));
        }
        const ifMatch = condition === undefined ? {} : { IfMatch: `"${condition.ifVersion}"` };
        await client.send(new sdk.DeleteObjectCommand({ ...target, ...ifMatch }), abortable(signal));
      } catch (thrown) {
        if (thrown instanceof ConflictError) throw thrown;
        if (isAbsent(thrown)) return;
        if (condition !== undefined && isConflict(thrown))
          throw new ConflictError(url, path, conflictReason(condition));
        throw explainS3Error(thrown, `delete ${path} in ${url}`, bucket);
      }
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(url, prefix);
      const { sdk, client } = await open();
      const entries: Entry[] = [];
      try {
        const asked = { Bucket: bucket, Prefix: keyPrefix + folder };
        const pages = sdk.paginateListObjectsV2({ client }, asked, abortable(signal));
        for await (const page of pages) {
          signal?.throwIfAborted();
          for (const object of page.Contents ?? []) {
            const path = (object.Key ?? '').slice(keyPrefix.length);
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
        throw explainS3Error(thrown, `list ${prefix === '' ? 'all' : prefix} in ${url}`, bucket);
      }
      return entries.sort((a, b) => comparePaths(a.path, b.path));
    },
  };
}

function clientConfigOf(options: S3Options) {
  const { silenceMs = SILENCE_MS } = options;
  return {
    region: options.region ?? 'us-east-1',
    // A cluster's bucket may be in another region than the cluster; S3 says in which.
    followRegionRedirects: true,
    // The first limit ends at the head of an answer, the last one holds until the end of its body. Without
    // throwOnRequestTimeout a late answer is only logged.
    requestHandler: {
      connectionTimeout: Math.min(10_000, silenceMs),
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpsAgent: { keepAlive: true, maxSockets: 50, proxyEnv: process.env },
    },
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    ...(options.credentials && { credentials: options.credentials }),
  };
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

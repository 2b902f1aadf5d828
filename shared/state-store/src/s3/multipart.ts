import type { CompletedPart, PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';

/** S3 takes parts of 5 MiB and more, and 10,000 of them: 80 GiB in all. */
const PART_BYTES = 8 * 1024 * 1024;

export interface Upload {
  readonly sdk: typeof import('./s3-sdk.ts');
  readonly client: S3Client;
  readonly target: { readonly Bucket: string; readonly Key: string };
  /** How the object is encrypted, and who else may read it. */
  readonly headers: Pick<PutObjectCommandInput, 'ACL' | 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  readonly condition: Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch'>;
  readonly sending: { readonly abortSignal?: AbortSignal };
}

/**
 * Uploads a stream, one part of it in memory at a time, each with its SHA-256, which the server checks. What fits into
 * one part is one request. The object appears when the last request is answered; before that, an upload that fails is
 * given up, so that its parts are not kept and paid for. Resolves with the ETag.
 */
export async function uploadStream(upload: Upload, chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const { sdk, client, target, headers, condition, sending } = upload;
  // The stream is closed whatever fails before its end: its source may be a file of many gigabytes that was deleted.
  await using parts = partsOf(chunks);
  const first = await parts.next();
  const second = first.done === true ? first : await parts.next();
  if (first.done === true || second.done === true) {
    const Body = first.value ?? new Uint8Array();
    return (await client.send(new sdk.PutObjectCommand({ ...target, Body, ...headers, ...condition }), sending)).ETag;
  }
  const created = await client.send(
    new sdk.CreateMultipartUploadCommand({ ...target, ...headers, ChecksumAlgorithm: 'SHA256' }),
    sending,
  );
  const started = { ...target, UploadId: created.UploadId };
  try {
    const sent: CompletedPart[] = [];
    const send = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = sent.length + 1;
      const part = new sdk.UploadPartCommand({ ...started, PartNumber, Body, ChecksumAlgorithm: 'SHA256' });
      const { ETag, ChecksumSHA256 } = await client.send(part, sending);
      sent.push({ PartNumber, ETag, ChecksumSHA256 });
    };
    await send(first.value);
    await send(second.value);
    for await (const part of parts) await send(part);
    const complete = new sdk.CompleteMultipartUploadCommand({
      ...started,
      MultipartUpload: { Parts: sent },
      ...condition,
    });
    return (await client.send(complete, sending)).ETag;
  } catch (thrown) {
    // The first error counts; a failure to abort the upload would only hide it.
    await client.send(new sdk.AbortMultipartUploadCommand(started)).catch(() => undefined);
    throw thrown;
  }
}

/** The stream cut into pieces of one size, the last one shorter. Two of them are held: one on its way, one filling. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let part = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.byteLength;) {
      const piece = chunk.subarray(taken, taken + PART_BYTES - filled);
      part.set(piece, filled);
      taken += piece.byteLength;
      filled += piece.byteLength;
      if (filled < PART_BYTES) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}

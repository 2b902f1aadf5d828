import * as sdk from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { uploadStream } from './multipart.ts';

/** A stream that is longer than a request, and may be left before its end. */
function source() {
  const state = { isClosed: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let part = 0; part < 3; part += 1) yield Buffer.alloc(8 * 1024 * 1024);
    } finally {
      state.isClosed = true;
    }
  }
  return { state, chunks: chunks() };
}

test.each([
  ['first request', sdk.CreateMultipartUploadCommand],
  ['first part', sdk.UploadPartCommand],
] as const)('an upload whose %s fails closes what it reads from', async (_which, failing) => {
  const send = async (command: unknown): Promise<object> => {
    if (command instanceof failing) throw new Error('SlowDown');
    return { UploadId: 'upload' };
  };
  // Of the client, uploads use nothing but this.
  const client = { send } as unknown as sdk.S3Client;
  const target = { Bucket: 'state', Key: 'demo/etcd.backup.gz' };
  const { state, chunks } = source();
  const uploaded = uploadStream({ sdk, client, target, headers: {}, condition: {}, sending: {} }, chunks);
  await expect(uploaded).rejects.toThrow('SlowDown');
  expect(state.isClosed).toBe(true);
});

import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { RESERVED_PREFIX } from '../path.ts';
import { explainS3Error, isConflict } from './s3-error.ts';

export interface Probed {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  readonly bucket: string;
  readonly keyPrefix: string;
  readonly url: string;
}

/**
 * Finds out whether the server honours conditions, by an object of its own: creating it twice must fail the second
 * time, replacing a version that is not there must fail, replacing the one that is there must succeed.
 * Servers are known that ignore the condition (and let two operators overwrite each other) or never match it.
 */
export async function probeConditionalWrites(probed: Probed): Promise<void> {
  const key = `${probed.keyPrefix}${RESERVED_PREFIX}/probe-${randomUUID()}`;
  const { sdk, client, bucket } = probed;
  const put = (body: string, condition: { IfNoneMatch: string } | { IfMatch: string }) =>
    client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ...condition }));
  try {
    const first = await put('1', { IfNoneMatch: '*' });
    if (!(await fails(put('2', { IfNoneMatch: '*' })))) throw refusal(probed, 'it ignores If-None-Match');
    if (!(await fails(put('3', { IfMatch: '"00000000000000000000000000000000"' }))))
      throw refusal(probed, 'it ignores If-Match');
    if (await fails(put('4', { IfMatch: first.ETag ?? '' }))) throw refusal(probed, 'its If-Match never holds');
  } catch (thrown) {
    throw explainS3Error(thrown, `try out conditional writes in ${probed.url}`, bucket);
  } finally {
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }
}

async function fails(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return false;
  } catch (thrown) {
    if (isConflict(thrown)) return true;
    throw thrown;
  }
}

function refusal(probed: Probed, why: string): ActionableError {
  return new ActionableError({
    what: `write to ${probed.url}`,
    why: `the S3 server does not honour conditional writes (${why}), so two operators could overwrite each other unnoticed`,
    next: 'use a server and bucket that do (docs/state-store.md), or, as the only writer, set KOPS_S3_ALLOW_BLIND_WRITES=true',
  });
}

import { randomUUID } from 'node:crypto';
import type { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { RESERVED_PREFIX } from '../path.ts';
import { explainS3Error, isConflict } from './s3-error.ts';

export interface Probed {
  readonly sdk: typeof import('./s3-sdk.ts');
  readonly client: S3Client;
  readonly bucket: string;
  readonly keyPrefix: string;
  readonly url: string;
}

/** On radosgw 20.2.4 with a versioned bucket, which compares but not atomically, six were enough in 30 of 30 tries. */
const RACERS = 8;
/** The first one opens the connections, so its requests are spread more. */
const RACES = 3;

/**
 * Finds out whether the server honours conditions, by objects of its own: of several creations at once exactly one
 * must succeed, replacing a version that is not there must fail, replacing the one that is there must succeed.
 * Some servers ignore conditions, some compare but not atomically, and some never find versions equal.
 */
export async function probeConditionalWrites(probed: Probed): Promise<void> {
  const { sdk, client, bucket, keyPrefix } = probed;
  const probe = `${keyPrefix}${RESERVED_PREFIX}/probe-${randomUUID()}`;
  const raced = Array.from({ length: RACES }, (_, race) => `${probe}-${race}`);
  const put = (key: string, body: string, condition: { IfNoneMatch: string } | { IfMatch: string }) =>
    new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ...condition });
  const removed = () => raced.map((key) => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })));
  try {
    for (const key of raced) {
      const creations = Array.from({ length: RACERS }, (_, i) => put(key, `${i}`, { IfNoneMatch: '*' }));
      const winners = (await Promise.all(sentTogether(creations, client).map(succeeds))).filter(Boolean).length;
      if (await succeeds(client.send(put(key, 'again', { IfNoneMatch: '*' })))) {
        throw refusal(probed, 'it ignores If-None-Match');
      }
      if (winners > 1) throw refusal(probed, `of ${RACERS} simultaneous creations, ${winners} succeeded`);
    }
    const [key = ''] = raced;
    if (await succeeds(client.send(put(key, 'other', { IfMatch: '"00000000000000000000000000000000"' })))) {
      throw refusal(probed, 'it ignores If-Match');
    }
    const { ETag = '' } = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }));
    if (!(await succeeds(client.send(put(key, 'next', { IfMatch: ETag }))))) {
      throw refusal(probed, 'its If-Match never holds');
    }
    await Promise.all(removed());
  } catch (thrown) {
    // What failed first says more than that nothing can be removed either.
    await Promise.allSettled(removed());
    throw explainS3Error(thrown, `try out conditional writes in ${probed.url}`, bucket);
  }
}

/**
 * Sends commands as close together as one process can: each is signed, which takes a millisecond, before the first one
 * goes out. On a busy machine a server is otherwise done with one before the next one comes.
 */
function sentTogether(commands: readonly PutObjectCommand[], client: S3Client): readonly Promise<unknown>[] {
  const start = Promise.withResolvers<void>();
  let ready = 0;
  return commands.map((command) => {
    command.middlewareStack.add(
      (next) => async (args) => {
        ready += 1;
        if (ready === commands.length) start.resolve();
        await start.promise;
        return next(args);
      },
      // Right before the request is sent.
      { step: 'deserialize', priority: 'low' },
    );
    // One that fails before it is ready must not hold the others up.
    return client.send(command).finally(start.resolve);
  });
}

async function succeeds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (thrown) {
    if (isConflict(thrown)) return false;
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

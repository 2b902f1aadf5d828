import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';

/** A running server of the S3 protocol that was not written by us. */
export interface S3Server {
  readonly name: string;
  readonly version: string;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Whom the servers are told to know. */
export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Starts a server, or prints why what needs it is skipped. */
export async function startOrSayWhyNot(name: string, start: () => Promise<S3Server>): Promise<S3Server | undefined> {
  try {
    const server = await start();
    console.log(`S3 by ${server.name} ${server.version} (Debian sid)`);
    return server;
  } catch (thrown) {
    console.log(`SKIPPED: the S3 state store against ${name}, because it could not be started: ${messageOf(thrown)}`);
    return undefined;
  }
}

/** A new, empty bucket. */
export async function makeBucket(server: S3Server, bucket: string, isVersioned: boolean): Promise<string> {
  const client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (isVersioned) {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
  }
  client.destroy();
  return bucket;
}

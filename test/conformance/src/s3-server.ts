import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';

/** A running third-party server of the S3 protocol. */
export interface S3Server {
  readonly name: string;
  readonly version: string;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The credentials that are configured on the servers. */
export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Creates an empty bucket. */
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

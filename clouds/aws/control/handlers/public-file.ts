import { GetObjectCommand, PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { errorName } from '../error-name.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isPublicBucket } from './public-bucket.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundFile {
  readonly content: string;
}

/** A file that everybody may read. It stays when the cluster is deleted: the bucket is the user's. */
export const publicFileHandler = resourceHandler<'aws/PublicFile', FoundFile>({
  kind: 'aws/PublicFile',
  noun: 'file',
  async find({ props: { bucket: Bucket, key: Key } }, aws) {
    try {
      const { Body } = await aws.s3.send(new GetObjectCommand({ Bucket, Key }));
      return { content: (await Body?.transformToString()) ?? '' };
    } catch (thrown) {
      if (errorName(thrown) === 'NoSuchKey') return undefined;
      throw thrown;
    }
  },
  wanted: ({ content }) => ({ content }),
  present: ({ content }) => ({ content }),
  create: ({ props }, aws) => put(props, aws),
  update: ({ props }, _found, _changes, aws) => put(props, aws),
});

/** Where the bucket has no access control lists, its policy says who may read. */
async function put(
  { bucket, key, content, contentType, needsAcl }: PropsOf<'aws/PublicFile'>,
  aws: AwsCloud,
): Promise<void> {
  const file: PutObjectCommandInput = { Bucket: bucket, Key: key, Body: content, ContentType: contentType };
  if (!needsAcl || (await isPublicBucket(aws, bucket))) {
    await aws.s3.send(new PutObjectCommand(file));
    return;
  }
  try {
    await aws.s3.send(new PutObjectCommand({ ...file, ACL: 'public-read' }));
  } catch (thrown) {
    if (errorName(thrown) !== 'AccessControlListNotSupported') throw thrown;
    await aws.s3.send(new PutObjectCommand(file));
  }
}

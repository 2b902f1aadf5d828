import type { ObjectCannedACL } from '@aws-sdk/client-s3';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

export interface S3Options {
  /** A server other than AWS, e.g. `https://s3.example.com`; its buckets are then addressed by path. */
  readonly endpoint?: string;
  /** Default `us-east-1`. */
  readonly region?: string;
  /** Where the server ignores conditions, two operators may overwrite each other; default false, such a server is refused. */
  readonly allowBlindWrites?: boolean;
  /** Requested from the server for every object; default: the bucket decides, which on Amazon S3 encrypts in any case. */
  readonly encryption?: S3Encryption;
  /** Others who may read each object, e.g. the owner of a bucket in another account; default: the bucket decides. */
  readonly acl?: ObjectCannedACL;
  /** How long the server may say nothing; two minutes by default, because sending a part of a large object may take long. */
  readonly silenceMs?: number;
  /** Default: what the AWS SDK finds (environment, profile, role of the instance). */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/** S3's own keys, or one of the Key Management Service: the account's default, or one that is named. */
export type S3Encryption = { readonly by: 'AES256' } | { readonly by: 'aws:kms'; readonly key?: string };

/** The fields of a request that creates an object which do not depend on the object. */
export function creationHeaders({ encryption, acl }: S3Options) {
  return {
    ...(acl === undefined ? {} : { ACL: acl }),
    ...(encryption === undefined ? {} : { ServerSideEncryption: encryption.by }),
    ...(encryption?.by === 'aws:kms' && encryption.key !== undefined ? { SSEKMSKeyId: encryption.key } : {}),
  };
}

/**
 * The canned ACLs of objects (https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl) but those
 * that let strangers read the keys of clusters.
 */
const ACLS = ['private', 'aws-exec-read', 'bucket-owner-read', 'bucket-owner-full-control'] as const;

/** Reads the name of a canned ACL. */
export function parseAcl(text: string): ObjectCannedACL {
  const known = ACLS.find((acl) => acl === text);
  if (known !== undefined) return known;
  throw new ActionableError({
    what: 'open the state store',
    why: `KOPS_STATE_S3_ACL is ${text}`,
    next: `set it to ${ACLS.join(', ')}, or leave it to the bucket; the store holds the keys of clusters, so it is not made public`,
    isUsage: true,
  });
}

/** Reads `AES256`, `aws:kms` or `aws:kms/KEY`. */
export function parseEncryption(text: string): S3Encryption {
  if (text === 'AES256') return { by: 'AES256' };
  const [by, ...key] = text.split('/');
  if (by === 'aws:kms') return { by, ...(key.length === 0 ? {} : { key: key.join('/') }) };
  throw new ActionableError({
    what: 'open the state store',
    why: `KOPS_S3_SSE is ${text}`,
    next: 'set it to AES256, aws:kms or aws:kms/KEY, or leave it to the bucket',
    isUsage: true,
  });
}

import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { bucketAccess, bucketPolicy } from './buckets.ts';
import type { GceCloud } from './gce-cloud.ts';
import { membershipsIn } from './iam-policy.ts';

/** Everybody, without an account too. */
export const EVERYBODY = 'allUsers';

/** The roles that let somebody read the objects of a bucket, and change none. */
const READERS = ['roles/storage.objectViewer', 'roles/storage.legacyObjectReader'];

/** What lets everybody read an object: the policy of its bucket, or a list of readers of its own. */
export type PublicBy = 'bucket' | 'object';

/** @throws PermanentError where neither does */
export async function publicBy(gce: GceCloud, bucket: string, signal: AbortSignal): Promise<PublicBy> {
  const { isUniform, preventsPublicAccess } = await bucketAccess(gce, bucket, signal);
  if (preventsPublicAccess) throw publicAccessPrevented(bucket);
  const policy = await bucketPolicy(bucket).read(gce, signal);
  const given = membershipsIn(policy, ({ member, role }) => member === EVERYBODY && READERS.includes(role));
  if (given.length > 0) return 'bucket';
  if (!isUniform) return 'object';
  throw new PermanentError({
    what: publishing(bucket),
    why: 'its policy alone says who may read it (uniform bucket-level access), and does not let everybody do so',
    next: `gcloud storage buckets add-iam-policy-binding gs://${bucket} --member=${EVERYBODY} --role=${READERS[0]}`,
  });
}

export const publicAccessPrevented = (bucket: string, cause?: unknown): PermanentError =>
  new PermanentError({
    what: publishing(bucket),
    why: 'public access prevention keeps out everybody without an account',
    next: `gcloud storage buckets update gs://${bucket} --no-public-access-prevention, unless the organization requires it`,
    cause,
  });

const publishing = (bucket: string): string => `publish the keys of service accounts in gs://${bucket}`;

import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { GceCloud } from './gce-cloud.ts';
import { isNotFound } from './google-error.ts';
import { parsePolicy, POLICY_VERSION } from './iam-policy.ts';
import type { PolicyOwner } from './memberships.ts';

/** The policy of a bucket (https://cloud.google.com/storage/docs/json_api/v1/buckets/setIamPolicy). */
export const bucketPolicy = (bucket: string): PolicyOwner => ({
  async read(gce, signal) {
    const url = `${bucketUrl(gce, bucket)}/iam?optionsRequestedPolicyVersion=${POLICY_VERSION}`;
    return parsePolicy(new AnswerFields(await gce.api.call({ method: 'GET', url }, signal), 'Cloud Storage'));
  },
  async write(gce, { bindings, etag }, signal) {
    const body = { version: POLICY_VERSION, bindings, etag };
    await gce.api.call({ method: 'PUT', url: `${bucketUrl(gce, bucket)}/iam`, body }, signal);
  },
});

const bucketUrl = ({ endpoints }: GceCloud, bucket: string): string =>
  `${endpoints.storage}/storage/v1/b/${encodeURIComponent(bucket)}`;

/**
 * Roles that are limited to folders are possible only where no object has a list of readers of its own: with such lists,
 * every new object, including keys of CAs, may be readable by everything that is given the project's default account.
 *
 * @throws PermanentError where objects have such lists
 */
export async function requireUniformAccess(gce: GceCloud, bucket: string, signal: AbortSignal): Promise<void> {
  const { isUniform } = await bucketAccess(gce, bucket, signal);
  if (isUniform) return;
  const why = 'its objects have access control lists of their own';
  const next = `run gcloud storage buckets update gs://${bucket} --uniform-bucket-level-access`;
  throw new PermanentError({ what: using(bucket), why, next });
}

const using = (bucket: string): string => `use the bucket ${bucket}`;

/** What a bucket allows besides its policy (https://cloud.google.com/storage/docs/json_api/v1/buckets#resource). */
export interface BucketAccess {
  /** Whether its policy alone says who may do what: objects have no lists of readers of their own. */
  readonly isUniform: boolean;
  /** Whether it keeps everybody out, whatever policies and lists say. An organization can do so too, which does not show here. */
  readonly preventsPublicAccess: boolean;
}

/** @throws PermanentError where there is no such bucket */
export async function bucketAccess(gce: GceCloud, bucket: string, signal: AbortSignal): Promise<BucketAccess> {
  let answer: AnswerFields;
  try {
    const url = `${bucketUrl(gce, bucket)}?fields=iamConfiguration`;
    answer = new AnswerFields(await gce.api.call({ method: 'GET', url }, signal), 'Cloud Storage');
  } catch (thrown) {
    throw isNotFound(thrown) ? missingBucket(bucket, thrown) : thrown;
  }
  const configuration = answer.has('iamConfiguration') ? answer.object('iamConfiguration') : undefined;
  return {
    isUniform:
      configuration?.has('uniformBucketLevelAccess') === true &&
      configuration.object('uniformBucketLevelAccess').flag('enabled'),
    preventsPublicAccess: configuration?.text('publicAccessPrevention', '') === 'enforced',
  };
}

export const missingBucket = (bucket: string, cause: unknown): PermanentError =>
  new PermanentError({
    what: using(bucket),
    why: 'there is no such bucket',
    next: `create it: gcloud storage buckets create gs://${bucket} --uniform-bucket-level-access`,
    cause,
  });

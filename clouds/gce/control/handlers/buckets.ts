import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { bucketPlace } from '../bucket-place.ts';
import type { GceCloud } from './gce-cloud.ts';
import { isNotFound } from './google-error.ts';
import { parsePolicy, POLICY_VERSION } from './iam-policy.ts';
import type { PolicyOwner } from './memberships.ts';

/** The buckets that the spec names: the state store, and those of keysets, secrets and backups. */
export function clusterBuckets(spec: ClusterSpec): readonly string[] {
  const backups = (spec.etcdClusters ?? []).map((etcd) => etcd.backups?.backupStore);
  const urls = [spec.configBase, spec.keyStore, spec.secretStore, ...backups];
  return [...new Set(urls.flatMap((url) => bucketPlace(url ?? '')?.bucket ?? []))];
}

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
  const what = `use the bucket ${bucket}`;
  let answer: AnswerFields;
  try {
    const url = `${bucketUrl(gce, bucket)}?fields=iamConfiguration`;
    answer = new AnswerFields(await gce.api.call({ method: 'GET', url }, signal), 'Cloud Storage');
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown;
    const next = `create it: gcloud storage buckets create gs://${bucket} --uniform-bucket-level-access`;
    throw new PermanentError({ what, why: 'there is no such bucket', next, cause: thrown });
  }
  const configuration = answer.has('iamConfiguration') ? answer.object('iamConfiguration') : undefined;
  const isUniform =
    configuration?.has('uniformBucketLevelAccess') === true &&
    configuration.object('uniformBucketLevelAccess').flag('enabled');
  if (isUniform) return;
  const why = 'its objects have access control lists of their own';
  const next = `run gcloud storage buckets update gs://${bucket} --uniform-bucket-level-access`;
  throw new PermanentError({ what, why, next });
}

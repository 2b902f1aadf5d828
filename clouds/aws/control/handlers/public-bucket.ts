import { GetBucketPolicyStatusCommand } from '@aws-sdk/client-s3';
import { errorName, isForbidden } from '../error-name.ts';
import type { AwsCloud } from './aws-cloud.ts';

/**
 * Whether the policy of a bucket lets everybody read it, as far as this account may see: then its objects need no access
 * control list, which new buckets do not have (kops util/pkg/vfs/s3fs.go IsBucketPublic).
 */
export async function isPublicBucket({ s3 }: AwsCloud, bucket: string): Promise<boolean> {
  try {
    const { PolicyStatus } = await s3.send(new GetBucketPolicyStatusCommand({ Bucket: bucket }));
    return PolicyStatus?.IsPublic === true;
  } catch (thrown) {
    if (errorName(thrown) === 'NoSuchBucketPolicy' || isForbidden(thrown)) return false;
    throw thrown;
  }
}

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

interface Facts {
  readonly name: string;
  readonly status: number | undefined;
  /** How often the SDK sent the request. */
  readonly attempts: number;
}

/** The name and the `$metadata` that the AWS SDK puts on its errors. */
export function factsOf(thrown: unknown): Facts {
  if (!(thrown instanceof Error)) return { name: '', status: undefined, attempts: 1 };
  const metadata: unknown = '$metadata' in thrown ? thrown.$metadata : undefined;
  return {
    name: thrown.name,
    status: numberOf(metadata, 'httpStatusCode'),
    attempts: numberOf(metadata, 'attempts') ?? 1,
  };
}

function numberOf(metadata: unknown, field: string): number | undefined {
  const found: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, field) : undefined;
  return typeof found === 'number' ? found : undefined;
}

/** The object is not there (a missing bucket is another matter). */
export function isAbsent(thrown: unknown): boolean {
  const { name, status } = factsOf(thrown);
  return name === 'NoSuchKey' || name === 'NotFound' || (status === 404 && name !== 'NoSuchBucket');
}

/** How servers name that they saw several conditional writes at the same moment and refused this one (409). */
const LOST_RACES: ReadonlySet<string> = new Set([
  'ConditionalRequestConflict', // Amazon S3
  'OperationAborted', // Amazon S3, older
  'ConcurrentModification', // Ceph radosgw 20
]);

/** The condition of a write does not hold, or another write at the same moment came first. */
export function isConflict(thrown: unknown): boolean {
  const { name, status } = factsOf(thrown);
  if (name === 'NoSuchKey') return true; // If-Match on nothing: Amazon S3 answers 404 to the PUT.
  return status === 412 || (status === 409 && LOST_RACES.has(name));
}

/** Explains an error of S3, with the next step. */
export function explainS3Error(thrown: unknown, what: string, bucket: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ActionableError || thrown.name === 'AbortError') return thrown;
  const { name, status } = factsOf(thrown);
  const answer = messageOf(thrown);
  const explain = (why: string, next: string) => new ActionableError({ what, why, next, cause: thrown });
  if (name === 'NoSuchBucket') {
    return explain(
      `there is no bucket ${bucket}`,
      `create it: aws s3api create-bucket --bucket ${bucket}, or check --state / KOPS_STATE_STORE`,
    );
  }
  if (name === 'CredentialsProviderError') {
    return explain(
      `no AWS credentials were found (${answer})`,
      'set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
  }
  if (name === 'PermanentRedirect' || status === 301) {
    return explain(`the bucket ${bucket} is in another region`, 'set S3_REGION to the region of the bucket');
  }
  if (status === 401 || status === 403) {
    return explain(
      `S3 refused it (${name}: ${answer})`,
      `check the credentials, and that their policy allows s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket on ${bucket}`,
    );
  }
  if (status === undefined) {
    return explain(
      `the S3 server did not answer (${answer || name})`,
      'check the network and KOPS_S3_ENDPOINT / AWS_ENDPOINT_URL',
    );
  }
  return explain(
    `S3 answered ${status} ${name}: ${answer}`,
    'repeat the command; if it persists, check the status of the S3 service',
  );
}

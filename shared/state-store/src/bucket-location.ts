import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

export interface BucketLocation {
  readonly bucket: string;
  /** `''`, or ending in `/`. */
  readonly keyPrefix: string;
}

/**
 * Where a store in a bucket is: `s3://bucket/some/prefix`.
 *
 * @param bucketName what the name of a bucket looks like there
 * @throws ActionableError if the URL names no bucket
 */
export function bucketLocation(url: string, schemes: readonly string[], bucketName: RegExp): BucketLocation {
  const [, scheme = '', bucket = '', prefix = ''] = /^([a-z0-9]+:\/\/)([^/]*)(?:\/(.*))?$/s.exec(url) ?? [];
  if (!schemes.includes(scheme) || !bucketName.test(bucket)) {
    throw new ActionableError({
      what: `open the state store ${url}`,
      why: 'it names no bucket',
      next: `name it with --state or KOPS_STATE_STORE as ${schemes[0]}<bucket> or ${schemes[0]}<bucket>/<prefix>`,
      isUsage: true,
    });
  }
  const folders = prefix.split('/').filter((part) => part !== '');
  return { bucket, keyPrefix: folders.map((part) => `${part}/`).join('') };
}

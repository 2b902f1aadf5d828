/** A folder of a bucket: empty, or ending with a slash. */
export interface BucketPlace {
  readonly bucket: string;
  readonly folder: string;
}

/** Splits `gs://bucket/folder`; undefined for a store outside Cloud Storage, which needs no rights in Google Cloud. */
export function bucketPlace(url: string): BucketPlace | undefined {
  const [, bucket, folder = ''] = /^gs:\/\/([^/]+)\/?(.*?)\/*$/.exec(url) ?? [];
  return bucket === undefined ? undefined : { bucket, folder: folder === '' ? '' : `${folder}/` };
}

import type { Text } from '@kopsctl/model/output.ts';

/** A file of the issuer of service account tokens, in a bucket. */
export interface PublicFileProps {
  readonly bucket: string;
  /** Of the object. */
  readonly name: string;
  readonly content: Text;
  readonly contentType: string;
  /** Unless told otherwise, Google's caches keep what is public for an hour, in which new keys would be unknown. */
  readonly cacheControl: string;
  /** Whether everybody reads it in the bucket. Otherwise a server of the user's serves it, and who may read it stays as it is. */
  readonly isReadInPlace: boolean;
}

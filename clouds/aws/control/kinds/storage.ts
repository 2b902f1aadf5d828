import type { Text } from '@kopsctl/model/output.ts';

/** A file in a bucket that everybody may read. */
export interface PublicFileProps {
  readonly bucket: string;
  readonly key: string;
  readonly content: Text;
  readonly contentType: string;
  /** Everybody reads it from the bucket, and the bucket's policy does not let them already: the file itself has to. */
  readonly needsAcl: boolean;
}

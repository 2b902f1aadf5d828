import type { Text } from '@kopsctl/model/output.ts';

/** A file in a bucket that everybody may read. */
export interface PublicFileProps {
  readonly bucket: string;
  readonly key: string;
  readonly content: Text;
  readonly contentType: string;
}

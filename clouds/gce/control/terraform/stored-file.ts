import { type ObjectPlace, storedFiles } from '@kopsctl/model/terraform/stored-files.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';

/** The files that machines read, as objects in GCS. @param placeOf undefined for a file that is not there */
export const filesInGcs = (placeOf: (path: string) => ObjectPlace | undefined) =>
  storedFiles('google_storage_bucket_object', placeOf, ({ bucket, key }, content) => ({
    bucket,
    content,
    name: key,
    provider: expression('google.files'),
  }));

import { type ObjectPlace, storedFiles } from '@kopsctl/model/terraform/stored-files.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';

/** The files that machines read, as objects in S3. @param placeOf undefined for a file that is not there */
export const filesInS3 = (placeOf: (path: string) => ObjectPlace | undefined) =>
  storedFiles('aws_s3_object', placeOf, ({ bucket, key }, content) => ({
    bucket,
    content,
    key,
    provider: expression('aws.files'),
    server_side_encryption: 'AES256',
  }));

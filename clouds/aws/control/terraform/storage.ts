import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import type { PublicFileProps } from '../kinds/storage.ts';

export const publicFile: TerraformKind<PublicFileProps> = {
  resources: (name, { bucket, key, content, contentType, needsAcl }, { file }) => [
    resource('aws_s3_object', name, {
      acl: needsAcl ? 'public-read' : undefined,
      bucket,
      content: file('aws_s3_object', name, 'content', textOf(name, content)),
      content_type: contentType,
      key,
      provider: expression('aws.files'),
      server_side_encryption: 'AES256',
    }),
  ],
  output: noOutput,
};

function textOf(name: string, content: PublicFileProps['content']): string {
  if (typeof content === 'string') return content;
  throw new Error(`the content of ${name} is not in the state store`);
}

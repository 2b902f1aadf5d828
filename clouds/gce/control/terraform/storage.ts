import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import type { PublicFileProps } from '../kinds/storage.ts';

const OBJECT = 'google_storage_bucket_object';

/**
 * The object has no readers of its own, as in kops: nothing here tells whether the bucket accepts them, and one with uniform
 * bucket-level access does not. So the bucket has to be public.
 */
export const publicFile: TerraformKind<PublicFileProps> = {
  resources: (name, { bucket, name: object, content, contentType, cacheControl }, { file }) => [
    resource(OBJECT, name, {
      bucket,
      cache_control: cacheControl,
      content: file(OBJECT, name, 'content', textOf(name, content)),
      content_type: contentType,
      name: object,
      provider: expression('google.files'),
    }),
  ],
  output: noOutput,
};

function textOf(name: string, content: PublicFileProps['content']): string {
  if (typeof content === 'string') return content;
  throw new Error(`the content of ${name} is not in the state store`);
}

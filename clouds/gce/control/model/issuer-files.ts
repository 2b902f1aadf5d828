import { issuerDocuments } from '@kopsctl/model/store/issuer-documents.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isReadInPlace, issuerStore } from '../issuer-store.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

/** The documents about the issuer of service account tokens, in the bucket that the spec names. */
export function issuerFiles({ facts: { spec } }: GceContext): readonly Task[] {
  const store = issuerStore(spec);
  const issuer = spec.kubeAPIServer?.serviceAccountIssuer;
  if (store === undefined || issuer === undefined) return [];
  return issuerDocuments(issuer).map(({ name, path, content, contentType }) =>
    gceTask('gce/PublicFile', name, {
      bucket: store.bucket,
      name: `${store.folder}${path}`,
      content,
      contentType,
      cacheControl: 'no-cache',
      isReadInPlace: isReadInPlace(store, spec),
    }),
  );
}

import { issuerDocuments } from '@kopsctl/model/store/issuer-documents.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isReadInPlace } from '../../issuer-store.ts';
import type { AwsContext } from '../aws-context.ts';
import { awsTask } from '../aws-task.ts';

/** The documents about the issuer of service account tokens, in the bucket that the spec names. */
export function issuerFiles({ facts }: AwsContext): readonly Task[] {
  const { serviceAccountIssuerDiscovery: discovery, kubeAPIServer } = facts.spec;
  const [, bucket, folder = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(discovery?.discoveryStore ?? '') ?? [];
  const issuer = kubeAPIServer?.serviceAccountIssuer;
  if (bucket === undefined || issuer === undefined) return [];
  return issuerDocuments(issuer).map(({ name, path, content, contentType }) =>
    awsTask('aws/PublicFile', name, {
      bucket,
      key: folder === '' ? path : `${folder}/${path}`,
      content,
      contentType,
      needsAcl: isReadInPlace(facts.spec),
    }),
  );
}

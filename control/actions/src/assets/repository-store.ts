import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** Where a file repository is written: the URL of a store, and its region where the name of the repository has one. */
export interface RepositoryStore {
  readonly url: string;
  readonly region?: string;
}

/** Amazon S3 with the bucket in the path or in the name of the host, with and without a region, and dual-stack. */
const S3_HOST = /^(?:(.+)\.)?s3(?:\.dualstack)?(?:[.-]([a-z]{2}(?:-[a-z]+)+-\d+))?\.amazonaws\.com(?:\.cn)?$/;

/**
 * The store behind `spec.assets.fileRepository`. Machines read it by https without credentials; it is written with those
 * of this computer. Pure.
 */
export function repositoryStore(fileRepository: string): RepositoryStore {
  if (/^(?:file|s3|gs):\/\//.test(fileRepository)) return { url: fileRepository };
  if (!URL.canParse(fileRepository)) throw unwritable(fileRepository);
  const { protocol, host, pathname } = new URL(fileRepository);
  if (protocol !== 'https:') throw unwritable(fileRepository);
  const path = pathname.replace(/^\/+|\/+$/g, '');
  if (host === 'storage.googleapis.com' && path !== '') return { url: `gs://${path}` };
  const s3 = S3_HOST.exec(host);
  if (s3 === null) throw unwritable(fileRepository);
  const [, bucket, region] = s3;
  const parts = [bucket, path].filter((part) => part !== undefined && part !== '');
  if (parts.length === 0) throw unwritable(fileRepository);
  return { url: `s3://${parts.join('/')}`, ...(region === undefined ? {} : { region }) };
}

const unwritable = (url: string): ActionableError =>
  new ActionableError({
    what: `copy files to ${url}`,
    why: 'files can only be copied to a bucket of S3 or Google Cloud Storage, or to a folder',
    next: 'name the bucket in spec.assets.fileRepository, e.g. https://s3.eu-west-1.amazonaws.com/my-bucket, or copy what `kopsctl get assets -o json` lists by other means, each file with its hash beside it in a file of the same name and .sha256',
  });

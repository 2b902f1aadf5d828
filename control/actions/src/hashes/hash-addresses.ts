import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';

/**
 * Where the hash of a published file is read: beside its copy in the file repository, where the spec names one, as
 * `kops get assets --copy` puts it there, else where its project publishes it. With a repository, only that is asked: clusters
 * that have one often reach nothing else, and its owner has checked what it holds.
 */
export function hashAddresses(
  { file, sha256Url }: PublishedAsset,
  fileRepository: string | undefined,
): readonly string[] {
  if (fileRepository === undefined) return [sha256Url];
  const base = fileRepository.replace(/\/$/, '');
  // Some projects publish one list for all files of a release; a copy of the whole release has that instead.
  return [...new Set([`${base}/${file}.sha256`, `${base}${new URL(sha256Url).pathname}`])];
}

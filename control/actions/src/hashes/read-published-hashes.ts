import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import { hashAddresses } from './hash-addresses.ts';
import { addressOf } from './pin-files.ts';
import { publishedSha256 } from './published-sha256.ts';
import type { FileHashes } from './recorded-hashes.ts';

/** A plan needs about ten; the list of a release is the same for several. */
const MAX_SOCKETS = 4;

/** Reads the hashes of files where they are published. @throws ActionableError that names all that could not be read */
export async function readPublishedHashes(
  assets: readonly PublishedAsset[],
  fileRepository: string | undefined,
  signal: AbortSignal,
  http: Pick<Http, 'stream' | 'close'> = openHttp({ maxSockets: MAX_SOCKETS }),
): Promise<FileHashes> {
  try {
    const results = await Promise.allSettled(
      assets.map((asset) => publishedSha256(http, asset.file, hashAddresses(asset, fileRepository), signal)),
    );
    const reasons = results.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
    if (reasons.length > 0) throw unreadable(reasons);
    return new Map(
      results.flatMap((one, at) => {
        const asset = assets[at];
        return one.status === 'fulfilled' && asset !== undefined ? [[addressOf(asset), one.value]] : [];
      }),
    );
  } finally {
    http.close();
  }
}

function unreadable(reasons: readonly unknown[]): unknown {
  const [first] = reasons;
  const refusals = reasons.filter((reason) => reason instanceof ActionableError);
  if (!(first instanceof ActionableError) || refusals.length < reasons.length) return first;
  return new ActionableError({
    what: 'pin what machines download',
    why: refusals.map(({ message }) => message).join('\n'),
    next: `${first.next}; or put the hashes into file-hashes.json in the cluster's folder of the state store, each under the address of its file`,
    cause: first,
  });
}

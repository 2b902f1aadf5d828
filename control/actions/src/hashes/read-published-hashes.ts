import { basename } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
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
    const failures = results.flatMap((one, at): Failure[] =>
      one.status === 'rejected' ? [{ file: basename(assets[at]?.file ?? ''), reason: one.reason }] : [],
    );
    if (failures.length > 0) throw unreadable(failures);
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

interface Failure {
  readonly file: string;
  readonly reason: unknown;
}

function unreadable(failures: readonly Failure[]): unknown {
  const [first] = failures.map(({ reason }) => reason);
  if (!(first instanceof ActionableError) || !failures.every(({ reason }) => reason instanceof ActionableError))
    return first;
  return new ActionableError({
    what: 'pin what machines download',
    why: [...byReason(failures)].map(([why, files]) => describe(why, files)).join('\n'),
    next: `${first.next}; or put the hashes into file-hashes.json in the cluster's folder of the state store, each under the address of its file`,
    cause: first,
  });
}

/** The files that fail for the same reason, such as a server that is not reached. */
function byReason(failures: readonly Failure[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { file, reason } of failures) {
    const why = reason instanceof ActionableError ? reason.why : messageOf(reason);
    files.set(why, [...(files.get(why) ?? []), file]);
  }
  return files;
}

/** Files after which the others are only counted. */
const NAMED = 3;

function describe(why: string, files: readonly string[]): string {
  const [only = '', ...others] = files;
  if (others.length === 0) return `cannot find the hash of ${only}: ${why}`;
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
  return `${why}, for the hashes of ${files.length} files: ${files.slice(0, NAMED).join(', ')}${more}`;
}

import { basename } from 'node:path';
import { hashIn } from '@kopsctl/assets/hash-in.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import type { Http } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';

/** A list of hashes has a line of some hundred letters for each file of a release. */
const MAX_BYTES = 1 << 20;
const WITHIN_MS = 30_000;

/**
 * Reads the hash of a file where it is published: alone, or in a line with the file's name as sha256sum writes it.
 *
 * @param from asked in this order; each must be https, because nothing else says that the hash is right
 * @throws ActionableError that says why each of them did not give it
 */
export async function publishedSha256(
  http: Pick<Http, 'stream'>,
  file: string,
  from: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const failures: string[] = [];
  for (const url of from) {
    try {
      return await readHash(http, file, url, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${url}: ${messageOf(error)}`);
    }
  }
  throw new ActionableError({
    what: `find the hash of ${file}`,
    why: failures.join('; '),
    next: from.some(isHttps)
      ? `check that this computer reaches it: curl -L ${from[0] ?? ''}`
      : 'give an https address',
  });
}

const isHttps = (url: string): boolean => url.startsWith('https://');

async function readHash(http: Pick<Http, 'stream'>, file: string, url: string, signal: AbortSignal): Promise<string> {
  if (!isHttps(url)) throw new Error('a hash is accepted only over https');
  const { status, body } = await streamFollowing(http, { method: 'GET', url, withinMs: WITHIN_MS }, signal);
  if (status !== 200) {
    body.destroy();
    throw new Error(`it answered ${status}`);
  }
  const hash = hashIn((await readWhole(body, MAX_BYTES)).toString('utf8'), basename(file));
  if (hash === undefined) throw new Error('it holds no SHA-256 of that file');
  return hash;
}

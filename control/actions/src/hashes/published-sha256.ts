import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { hashIn } from '@kopsctl/assets/hash-in.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import { type Http, NoAnswerError } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';

/** A list of hashes has a line of some hundred letters for each file of a release; a key has some kilobytes. */
const MAX_BYTES = 1 << 20;
const WITHIN_MS = 30_000;

/**
 * Reads the hash of a file where it is published: alone, or in a line with the file's name as sha256sum writes it. An
 * address of the file itself is that of a key that signs packages, whose hash is worked out.
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
      failures.push(reasonOf(error, url));
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

/** A server that is not reached is the same reason for all of its files, in the same words. */
function reasonOf(error: unknown, url: string): string {
  // Errors of the system name the call that failed; those of TLS and of what is read do not.
  const isUnreached = error instanceof NoAnswerError || (error instanceof Error && 'syscall' in error);
  if (!isUnreached) return `${url}: ${messageOf(error)}`;
  // The one that could not be found may be another one, to which the first redirected.
  const host = 'hostname' in error ? String(error.hostname) : new URL(url).hostname;
  return `cannot reach ${host} (${codeOf(error) ?? messageOf(error)})`;
}

const isHttps = (url: string): boolean => url.startsWith('https://');

async function readHash(http: Pick<Http, 'stream'>, file: string, url: string, signal: AbortSignal): Promise<string> {
  if (!isHttps(url)) throw new Error('a hash is accepted only over https');
  const { status, body } = await streamFollowing(http, { method: 'GET', url, withinMs: WITHIN_MS }, signal);
  if (status !== 200) {
    body.destroy();
    throw new Error(`it answered ${status}`);
  }
  const bytes = await readWhole(body, MAX_BYTES);
  if (basename(new URL(url).pathname) === basename(file)) return hashOfKey(bytes);
  const hash = hashIn(bytes.toString('utf8'), basename(file));
  if (hash === undefined) throw new Error('it holds no SHA-256 of that file');
  return hash;
}

/** apt takes a key in ASCII. Networks that want a password answer with a page. */
function hashOfKey(bytes: Buffer): string {
  if (!bytes.includes('BEGIN PGP PUBLIC KEY BLOCK')) throw new Error('it holds no OpenPGP key in ASCII');
  return createHash('sha256').update(bytes).digest('hex');
}

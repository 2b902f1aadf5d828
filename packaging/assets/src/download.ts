import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';

import { fetchPart, RefusedError, TooLongError } from '@kopsctl/assets/fetch-part.ts';
import { hashIn } from '@kopsctl/assets/hash-in.ts';
import { publishedHashes } from '@kopsctl/assets/published-hashes.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import type { Http } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';

import { NotProvided } from './recipe.ts';
import { rememberTaken, wasTaken } from './taken-before.ts';

/** Long enough for a slow line to answer; where there is no way out, the next source should not wait for it. */
const PROBE_TIMEOUT_MS = 3000;
/** A broken connection is resumed where it was, this often. */
const RESUMING: Pace = { retries: 4, minTimeout: 100, factor: 2, maxTimeout: 2000 };
/** A server that sends nothing for so long has forgotten us; the next try resumes. */
const SILENCE_MS = 60_000;
/** A list of hashes has some hundred lines. */
const MAX_LIST_BYTES = 1 << 20;

/** Refusals that end by themselves: too slow, too early, too often (RFC 9110, 8470, 6585). */
const PASSING = new Set([408, 425, 429]);

/** Whether a location answers at all from this machine. */
export async function isReachable(http: Pick<Http, 'stream'>, url: string): Promise<boolean> {
  try {
    const { status, body } = await streamFollowing(
      http,
      { method: 'HEAD', url, withinMs: PROBE_TIMEOUT_MS },
      undefined,
    );
    body.destroy();
    return status === 200;
  } catch {
    // No name, no route and no answer in time all mean "not from here": the next source takes its place.
    return false;
  }
}

export interface Download {
  readonly url: string;
  /** Asked for the hash of a file that the table of this release does not have. */
  readonly sha256Url: string;
  /** Where parts stay between runs, so that a large download need not begin again, and what was taken is remembered. */
  readonly cacheDir: string;
  /** Where the whole file goes. */
  readonly scratch: string;
  readonly log: (line: string) => void;
}

/**
 * Downloads a file, resumes after a break, and verifies it. Returns its place. A file that the table of this release does
 * not have is verified by the hash that is published with it; once it was taken, no other hash is accepted for its URL.
 *
 * @throws NotProvided if the server refuses it, or its hash
 */
export async function downloadVerified(
  http: Pick<Http, 'stream'>,
  { url, sha256Url, cacheDir, scratch, log }: Download,
): Promise<string> {
  const known = publishedHashes().get(url);
  const wanted = known ?? (await readHash(http, url, sha256Url));
  const served = { what: `download ${url}`, name: url, hash: wanted };
  const isKnown = known !== undefined || (await wasTaken(cacheDir, served));
  if (!isKnown) log(`${url} has ${wanted}, which is not in the table of hashes`);
  const partsDir = path.join(cacheDir, 'downloads');
  await mkdir(partsDir, { recursive: true });
  const part = path.join(partsDir, `${wanted}.part`);
  const found = await tryAgain(
    () => fetchPart(http, { url, part, stallMs: SILENCE_MS }, undefined),
    {
      pace: RESUMING,
      isPassing: (thrown) => ![RefusedError, TooLongError, ActionableError].some((final) => thrown instanceof final),
      onRetry: (thrown) => log(`${url}: ${messageOf(thrown)}; continuing from where it stopped`),
    },
    undefined,
  ).catch((thrown: unknown) => {
    throw cannotDownload(url, thrown);
  });
  if (found !== wanted) {
    await rm(part);
    throw new ActionableError({
      what: `download ${url}`,
      why: `its SHA-256 is ${found}, but ${wanted} is published`,
      next: 'run the same command again; if it stays, something on the way changes downloads',
    });
  }
  const file = path.join(
    scratch,
    `${createHash('sha256').update(url).digest('hex').slice(0, 12)}-${path.basename(url)}`,
  );
  await rename(part, file);
  if (!isKnown) await rememberTaken(cacheDir, served);
  return file;
}

async function readHash(http: Pick<Http, 'stream'>, url: string, sha256Url: string): Promise<string> {
  const found = hashIn(await readText(http, sha256Url), path.posix.basename(new URL(url).pathname));
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `download ${url}`,
    why: `${sha256Url} does not name its SHA-256`,
    next: 'run the same command again; if it stays, something on the way changes downloads',
  });
}

async function readText(http: Pick<Http, 'stream'>, url: string): Promise<string> {
  try {
    const { status, body } = await streamFollowing(http, { method: 'GET', url, silenceMs: SILENCE_MS }, undefined);
    if (status === 200) return (await readWhole(body, MAX_LIST_BYTES)).toString('utf8');
    body.destroy();
    throw new RefusedError(status);
  } catch (thrown) {
    throw cannotDownload(url, thrown);
  }
}

/** What the caller gets of a failure: a server that does not have the file leaves it to the next source. */
function cannotDownload(url: string, thrown: unknown): unknown {
  if (thrown instanceof ActionableError) return thrown;
  if (thrown instanceof RefusedError && thrown.status >= 400 && thrown.status < 500 && !PASSING.has(thrown.status)) {
    const { hostname } = new URL(url);
    const text = `${String(thrown.status)} ${STATUS_CODES[thrown.status] ?? ''}`.trim();
    return new NotProvided(`${hostname} does not provide it: ${url} answered ${text}`);
  }
  return new ActionableError({
    what: `download ${url}`,
    why: messageOf(thrown),
    next: 'run the same command again',
    cause: thrown,
  });
}

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { hashIn } from '@kopsctl/assets/hash-in.ts';
import { publishedHashes } from '@kopsctl/assets/published-hashes.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';

import { NotProvided } from './recipe.ts';

/** Long enough for a slow line to answer; where there is no way out, the next source should not wait for it. */
const PROBE_TIMEOUT_MS = 3000;
/** A broken connection is resumed where it was, this often. */
const TRIES = 5;

/** Refusals that end by themselves: too slow, too early, too often (RFC 9110, 8470, 6585). */
const PASSING = new Set([408, 425, 429]);

/** Whether a location answers at all from this machine. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return answer.ok;
  } catch {
    // No name, no route and no answer in time all mean "not from here": the next source takes its place.
    return false;
  }
}

export interface Download {
  readonly url: string;
  /** Asked for the hash of a file that the table of this release does not have. */
  readonly sha256Url: string;
  /** Where parts stay between runs, so that a large download need not begin again. */
  readonly partsDir: string;
  /** Where the whole file goes. */
  readonly scratch: string;
  readonly log: (line: string) => void;
}

/**
 * Downloads a file, resumes after a break, and verifies it. Returns its place.
 *
 * @throws NotProvided if the server refuses it, or its hash
 */
export async function downloadVerified({ url, sha256Url, partsDir, scratch, log }: Download): Promise<string> {
  const known = publishedHashes().get(url);
  const wanted = known ?? (await readHash(url, sha256Url));
  if (known === undefined) log(`${url} has ${wanted}, which is not in the table of hashes`);
  await mkdir(partsDir, { recursive: true });
  const part = path.join(partsDir, `${wanted}.part`);
  for (let turn = 1; ; turn++) {
    try {
      await goOn(url, part);
      break;
    } catch (error) {
      if (error instanceof ActionableError || error instanceof NotProvided || turn === TRIES) throw error;
      log(`${url}: ${messageOf(error)}; continuing from where it stopped`);
    }
  }
  const found = await sha256OfFile(part);
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
  return file;
}

async function readHash(url: string, sha256Url: string): Promise<string> {
  const found = hashIn(await (await answerOf(sha256Url)).text(), path.posix.basename(new URL(url).pathname));
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `download ${url}`,
    why: `${sha256Url} does not name its SHA-256`,
    next: 'run the same command again; if it stays, something on the way changes downloads',
  });
}

async function goOn(url: string, part: string): Promise<void> {
  const have = await sizeOf(part);
  const answer = await answerOf(url, have === 0 ? {} : { range: `bytes=${String(have)}-` });
  // 416: there is no more, the part is whole. A server without ranges sends all of it with 200.
  if (answer.status === 416) return;
  if (answer.body === null) throw new Error(`${url} answered without a body`);
  const flags = answer.status === 206 ? 'a' : 'w';
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(part, { flags }));
}

async function answerOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const answer = await fetch(url, { headers });
  if (answer.ok || answer.status === 416) return answer;
  await answer.body?.cancel();
  const { status, statusText } = answer;
  if (status >= 400 && status < 500 && !PASSING.has(status)) {
    const { hostname } = new URL(url);
    throw new NotProvided(`${hostname} does not provide it: ${url} answered ${String(status)} ${statusText}`);
  }
  throw new ActionableError({
    what: `download ${url}`,
    why: `it answered ${String(status)} ${statusText}`,
    next: 'run the same command again',
  });
}

async function sizeOf(file: string): Promise<number> {
  return (await ifThere(stat(file)))?.size ?? 0;
}

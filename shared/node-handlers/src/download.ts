import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readInPlace } from '@kopsctl/files/read-in-place.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import { type Http, openHttp, type TlsIdentity } from '@kopsctl/http/http.ts';
import { cannotWrite, isOfTheDisk } from './disk-error.ts';

/** After this time without a byte the next mirror is asked; a slow download that makes progress goes on. */
const STALL_MS = 30_000;

export interface DownloadOptions {
  readonly stallMs?: number;
  /** Trusted authorities, instead of those of Node.js. */
  readonly tls?: TlsIdentity;
}

/**
 * Downloads to `path`, which appears complete and verified or not at all. A partial download is resumed, every mirror
 * is tried, and wrong bytes are thrown away.
 */
export async function download(
  urls: readonly string[],
  sha256: string,
  path: string,
  signal: AbortSignal,
  { stallMs = STALL_MS, tls }: DownloadOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const part = `${path}.part`;
  const failures: string[] = [];
  const http = openHttp({ keepAlive: false, ...(tls && { tls }) });
  const fetchPart = (url: string): Promise<string> =>
    fetchInto(part, (have) => openUrl(http, url, { have, stallMs }, signal));
  try {
    for (const url of urls) {
      try {
        let found = await fetchPart(url);
        if (found !== sha256) {
          // The resumed part may hold wrong bytes of another mirror, so this mirror is asked for the whole file.
          await unlink(part);
          found = await fetchPart(url);
        }
        if (found === sha256) return await rename(part, path);
        await unlink(part);
        failures.push(`${url} returned other content (sha256 ${found})`);
      } catch (error) {
        signal.throwIfAborted();
        // Another mirror would not help a full disk; the part is kept and resumed later.
        if (isOfTheDisk(error)) throw cannotWrite(path, error);
        failures.push(`${url}: ${describe(error)}`);
      }
    }
  } finally {
    http.close();
  }
  throw new ActionableError({
    what: `download the asset ${sha256}`,
    why: failures.join('; '),
    next: `check that this machine reaches a mirror: curl -I ${urls[0] ?? ''}`,
  });
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${messageOf(error)}${cause}`;
}

/** Downloads the rest of the part and returns the hash of the whole file. */
async function fetchInto(part: string, openFrom: (have: number) => Promise<Opened>): Promise<string> {
  const hash = createHash('sha256');
  const have = await hashPart(part, hash);
  const { chunks, from } = await openFrom(have);
  const whole = from === have ? hash : createHash('sha256');
  const file = await open(part, from === 0 ? 'w' : 'a', 0o644);
  try {
    for await (const chunk of chunks) {
      whole.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return whole.digest('hex');
}

/** Feeds the part into the hash and returns its size. */
async function hashPart(part: string, hash: Hash): Promise<number> {
  const found = await stat(part).catch(() => undefined);
  if (found === undefined) return 0;
  for await (const piece of readInPlace(part)) hash.update(piece);
  return found.size;
}

interface Opened {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Where in the file the chunks begin. */
  readonly from: number;
}

async function openUrl(
  http: Http,
  url: string,
  { have, stallMs }: { readonly have: number; readonly stallMs: number },
  signal: AbortSignal,
): Promise<Opened> {
  if (url.startsWith('file://')) {
    return { chunks: readInPlace(fileURLToPath(url), { start: have }), from: have };
  }
  const headers = { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) };
  const answer = await streamFollowing(http, { method: 'GET', url, headers, silenceMs: stallMs }, signal);
  const { status, body } = answer;
  if (status === 200) return { chunks: body, from: 0 };
  if (status === 206 && answer.headers['content-range']?.startsWith(`bytes ${have}-`) === true) {
    return { chunks: body, from: have };
  }
  body.destroy();
  // 416: the part is at least as long as the whole file; its hash decides.
  if (status === 416 && have > 0) return { chunks: nothing(), from: have };
  throw new Error(`it answered ${status}`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Yields no chunk.
}

import { createHash, type Hash } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { readInPlace } from '@kopsctl/files/read-in-place.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import type { Http } from '@kopsctl/http/http.ts';

/** The server answered, and not with the file. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number) {
    super(`it answered ${status}${STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`}`);
    this.status = status;
  }
}

/**
 * No file is longer: the longest that machines download are archives of images and the agents, with some 100 MB. Without a
 * limit, a server that sends without end would fill the disk.
 */
const MAX_BYTES = 2 * 1024 ** 3;
/**
 * At this rate 100 MB take two hours. A server that is slower is as good as silent. Where it is the only one, giving it up
 * loses nothing: the part is resumed.
 */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/** The server sent more than any file has. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';

  constructor(maxBytes: number) {
    super(`it sent more than ${maxBytes} bytes, which no file has`);
  }
}

/** A file that is downloaded in parts. */
export interface WantedFile {
  readonly url: string;
  /** What came of it so far, if anything. Its folder is there. */
  readonly part: string;
  /** After this time without a byte, or with hardly any, the download has failed. */
  readonly stallMs: number;
  readonly maxBytes?: number;
}

/**
 * Downloads what the part lacks, and returns the SHA-256 of the whole, which the caller compares. After a failure the part
 * keeps what came, unless that is too long. A server without ranges sends the whole again.
 *
 * @throws RefusedError if the server answers anything but the file
 * @throws TooLongError if it sends too much
 */
export async function fetchPart(
  http: Pick<Http, 'stream'>,
  { url, part, stallMs, maxBytes = MAX_BYTES }: WantedFile,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = createHash('sha256');
  const have = await hashPart(part, hash);
  const { chunks, from } = await openUrl(http, url, { have, stallMs }, signal);
  const whole = from === have ? hash : createHash('sha256');
  const file = await open(part, from === 0 ? 'w' : 'a', 0o644);
  let bytes = from;
  try {
    for await (const chunk of atLeastSlowly(chunks, stallMs)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new TooLongError(maxBytes);
      whole.update(chunk);
      await file.writeFile(chunk);
    }
  } catch (error) {
    if (error instanceof TooLongError) await unlink(part);
    throw error;
  } finally {
    await file.close();
  }
  return whole.digest('hex');
}

/** Fails as soon as one period has brought too little. A period without anything is noticed by who sends the chunks. */
async function* atLeastSlowly(chunks: AsyncIterable<Uint8Array>, periodMs: number): AsyncGenerator<Uint8Array> {
  let sinceMs = performance.now();
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const passedMs = performance.now() - sinceMs;
    if (passedMs >= periodMs) {
      if (bytes * 1000 < passedMs * MIN_BYTES_PER_SECOND) {
        throw new Error(`it sent only ${bytes} bytes in ${Math.round(passedMs)} ms`);
      }
      sinceMs = performance.now();
      bytes = 0;
    }
    yield chunk;
  }
}

/** Feeds the part into the hash and returns its size. */
async function hashPart(part: string, hash: Hash): Promise<number> {
  const found = await ifThere(stat(part));
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
  http: Pick<Http, 'stream'>,
  url: string,
  { have, stallMs }: { readonly have: number; readonly stallMs: number },
  signal: AbortSignal | undefined,
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
  throw new RefusedError(status);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Yields no chunk.
}

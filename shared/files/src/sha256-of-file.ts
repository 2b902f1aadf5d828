import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** For files of hundreds of megabytes: larger reads need fewer turns of the event loop. */
const READ_BYTES = 1 << 20;

/** The SHA-256 of a file, in hex. */
export async function sha256OfFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES, ...(signal && { signal }) })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

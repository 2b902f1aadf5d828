import { createHash } from 'node:crypto';
import { readInPlace } from './read-in-place.ts';

/** The SHA-256 of a file, in hex. */
export async function sha256OfFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readInPlace(file, { signal })) hash.update(piece);
  return hash.digest('hex');
}

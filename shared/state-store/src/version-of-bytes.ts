import { createHash } from 'node:crypto';

/** The version of contents in memory and file stores: their SHA-256, in hex. */
export function versionOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

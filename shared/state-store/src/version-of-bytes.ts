import { createHash } from 'node:crypto';

/** The version that memory and file stores give to contents: their SHA-256, in hex. */
export function versionOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** AES-256. */
const KEY_BYTES = 32;

/**
 * The key in the secret `etcd-backup-key`: 32 bytes, or 64 hexadecimal digits as `openssl rand -hex 32` prints them.
 * Undefined if it is neither.
 */
export function parseBackupKey(secret: Uint8Array): Buffer | undefined {
  const raw = Buffer.from(secret);
  const text = raw.toString('latin1').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return raw.byteLength === KEY_BYTES ? raw : undefined;
}

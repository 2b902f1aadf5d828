import { createHash, verify } from 'node:crypto';
import { parseKeyBlob, type SshKey } from './ssh-key.ts';
import { WireReader, wireString } from './ssh-wire.ts';

/** What a signature of a release is for. One that was made for anything else (a commit, a file) does not count. */
export const SIGNATURE_NAMESPACE = 'kopsctl-release';

const MAGIC = 'SSHSIG';

/**
 * Checks a signature in the form of `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig) over a message.
 *
 * @throws Error that completes "the signature …" unless the message was signed by exactly this key, for releases
 */
export function checkSignature(message: Uint8Array, armored: string, by: SshKey): void {
  const reader = new WireReader(unarmored(armored));
  if (reader.take(MAGIC.length).toString('latin1') !== MAGIC) throw new Error('does not begin with SSHSIG');
  const version = reader.uint32();
  if (version !== 1) throw new Error(`has version ${version}; only 1 is known`);
  const signer = parseKeyBlob(reader.string());
  const namespace = reader.string();
  const reserved = reader.string();
  const hashName = reader.text();
  const signature = reader.string();
  reader.end();
  if (!signer.blob.equals(by.blob)) throw new Error('was made with a key other than the one given');
  if (namespace.toString('latin1') !== SIGNATURE_NAMESPACE)
    throw new Error('was made for something other than a release');
  if (hashName !== 'sha512' && hashName !== 'sha256') throw new Error('uses a hash other than SHA-512 and SHA-256');
  const digest = createHash(hashName).update(message).digest();
  const signed = [namespace, reserved, hashName, digest].map((one) => wireString(one));
  if (!isBy(by, signature, Buffer.concat([Buffer.from(MAGIC), ...signed]))) throw new Error('does not match');
}

function unarmored(text: string): Buffer {
  const found = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\s*$/.exec(text);
  if (found === null) throw new Error('is not in the form of `ssh-keygen -Y sign`');
  return Buffer.from(found[1] ?? '', 'base64');
}

function isBy({ type, key }: SshKey, signature: Buffer, signed: Buffer): boolean {
  const reader = new WireReader(signature);
  const algorithm = reader.text();
  const bytes = reader.string();
  reader.end();
  if (type === 'ssh-ed25519') return algorithm === type && verify(undefined, signed, key, bytes);
  // SHA-1, which is what the algorithm `ssh-rsa` means, is refused.
  if (type === 'ssh-rsa') {
    const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[algorithm];
    return hash !== undefined && verify(hash, signed, key, bytes);
  }
  if (algorithm !== type) return false;
  const numbers = new WireReader(bytes);
  const { length, hash } = ECDSA[type] ?? { length: 0, hash: '' };
  const parts = [numbers.string(), numbers.string()].map((number) => fixed(number, length));
  numbers.end();
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(parts));
}

const ECDSA: Readonly<Record<string, { readonly length: number; readonly hash: string }>> = {
  'ecdsa-sha2-nistp256': { length: 32, hash: 'sha256' },
  'ecdsa-sha2-nistp384': { length: 48, hash: 'sha384' },
  'ecdsa-sha2-nistp521': { length: 66, hash: 'sha512' },
};

/** A number of SSH's wire format with exactly that many bytes. */
function fixed(number: Buffer, length: number): Buffer {
  const digits = number.length > length && number[0] === 0 ? number.subarray(1) : number;
  if (digits.length > length) throw new RangeError(`a number of ${digits.length} bytes`);
  return Buffer.concat([Buffer.alloc(length - digits.length), digits]);
}

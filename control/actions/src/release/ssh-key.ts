import { createPublicKey, type KeyObject } from 'node:crypto';
import { WireReader } from './ssh-wire.ts';

/** A public key as OpenSSH writes it. */
export interface SshKey {
  readonly type: string;
  /** The key in SSH's wire format: two keys are the same if and only if these bytes are. */
  readonly blob: Buffer;
  readonly key: KeyObject;
}

/** Shorter RSA keys are refused, as OpenSSH does since 9.1. */
const MIN_RSA_BITS = 2048;

const CURVES: Readonly<Record<string, { readonly crv: string; readonly bytes: number }>> = {
  nistp256: { crv: 'P-256', bytes: 32 },
  nistp384: { crv: 'P-384', bytes: 48 },
  nistp521: { crv: 'P-521', bytes: 66 },
};

/** Reads the one key of a file like `id_ed25519.pub`; of a line of allowed_signers, the key in it. @throws Error that completes "the key …" */
export function parsePublicKey(text: string): SshKey {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [line, ...more] = lines;
  if (line === undefined || more.length > 0) throw new Error(`has ${lines.length} lines with keys; one is expected`);
  const found = /(?:^|\s)(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(
    line,
  );
  if (found === null) throw new Error('is not an Ed25519, ECDSA or RSA public key in OpenSSH format');
  const key = parseKeyBlob(Buffer.from(found[2] ?? '', 'base64'));
  if (key.type !== found[1]) throw new Error(`is of type ${key.type}, and its line says ${found[1]}`);
  return key;
}

/** Reads a key in SSH's wire format. @throws Error */
export function parseKeyBlob(blob: Buffer): SshKey {
  const reader = new WireReader(blob);
  const type = reader.text();
  const key = readKey(type, reader);
  reader.end();
  return { type, blob, key };
}

function readKey(type: string, reader: WireReader): KeyObject {
  if (type === 'ssh-ed25519') {
    const x = reader.string();
    if (x.length !== 32) throw new Error(`has an Ed25519 key of ${x.length} bytes`);
    return jwk({ kty: 'OKP', crv: 'Ed25519', x: base64Url(x) });
  }
  if (type === 'ssh-rsa') {
    const e = reader.string();
    const n = reader.string();
    const key = jwk({ kty: 'RSA', n: base64Url(withoutSign(n)), e: base64Url(withoutSign(e)) });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < MIN_RSA_BITS) throw new Error(`is an RSA key of ${bits} bits; at least ${MIN_RSA_BITS} are needed`);
    return key;
  }
  const name = reader.text();
  const point = reader.string();
  const curve = Object.hasOwn(CURVES, name) ? CURVES[name] : undefined;
  if (curve === undefined || type !== `ecdsa-sha2-${name}`)
    throw new Error(`is of the unknown type ${printable(type)}`);
  if (point.length !== 1 + 2 * curve.bytes || point[0] !== 4) throw new Error('has a point that is not uncompressed');
  const x = point.subarray(1, 1 + curve.bytes);
  return jwk({ kty: 'EC', crv: curve.crv, x: base64Url(x), y: base64Url(point.subarray(1 + curve.bytes)) });
}

const jwk = (key: Readonly<Record<string, string>>): KeyObject => createPublicKey({ key, format: 'jwk' });
const base64Url = (bytes: Buffer): string => bytes.toString('base64url');
/** A number with its highest bit set has a zero byte before it, because the numbers of SSH have a sign. */
const withoutSign = (bytes: Buffer): Buffer => (bytes[0] === 0 ? bytes.subarray(1) : bytes);
const printable = (text: string): string => JSON.stringify(text.slice(0, 40));

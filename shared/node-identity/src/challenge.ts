import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** What a machine and an authority agreed on, before the machine proves anything. */
export interface Agreed {
  readonly cluster: string;
  /** 32 random bytes of the authority, which are valid on one connection and only once. */
  readonly nonce: Uint8Array;
  /** 32 bytes that only the two ends of this TLS connection can know (RFC 8446 §7.5). */
  readonly channel: Uint8Array;
  /** The public key of the machine, as DER of SubjectPublicKeyInfo. */
  readonly machineKey: Uint8Array;
}

/** So that what is signed here is never taken for anything else. */
const PURPOSE = 'kops-attest-1';
/** The label of the exported key material; `EXPORTER-` is what RFC 5705 wants for names of the public registry. */
const CHANNEL_LABEL = 'EXPERIMENTAL-kops-node-authority';
const CHANNEL_BYTES = 32;
const NO_CONTEXT = Buffer.alloc(0);

/** The 32 bytes that evidence and signature have to cover. Each part follows its length: no two sets give the same text. */
export function challengeOf({ cluster, nonce, channel, machineKey }: Agreed): Buffer {
  const hash = createHash('sha256');
  for (const part of [Buffer.from(PURPOSE), Buffer.from(cluster), nonce, channel, machineKey]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.byteLength);
    hash.update(length).update(part);
  }
  return hash.digest();
}

interface Exporting {
  exportKeyingMaterial(length: number, label: string, context: Buffer): Buffer;
}

/** The same at both ends of a connection, and at no other connection. */
export function channelOf(connection: Exporting): Buffer {
  return connection.exportKeyingMaterial(CHANNEL_BYTES, CHANNEL_LABEL, NO_CONTEXT);
}

/** A machine's public key from the network; undefined if it is of another kind than ECDSA on P-256. */
export function parseMachineKey(der: Uint8Array): KeyObject | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined; // These bytes are not a key.
  }
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
}

/** Whether the holder of the machine's key signed the challenge (ECDSA with SHA-256, DER). */
export function isSigned(challenge: Uint8Array, signature: Uint8Array, machineKey: KeyObject): boolean {
  return verify('sha256', challenge, machineKey, signature);
}

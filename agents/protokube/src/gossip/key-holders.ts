import { createHash } from 'node:crypto';
import type { GossipKey } from './gossip-keys.ts';

/** Says what the bytes are, so that the metadata of other programs is not mistaken for them. */
const PREFIX = Buffer.from('kops-keys-1:');
/** Long enough to tell a few keys apart. It tells nothing about a key of 128 random bits or more. */
const FINGERPRINT_BYTES = 4;

export type Fingerprint = string;

export const fingerprintOf = ({ key }: Pick<GossipKey, 'key'>): Fingerprint =>
  createHash('sha256').update('gossip key\0').update(key).digest().subarray(0, FINGERPRINT_BYTES).toString('hex');

/** The metadata by which a member tells the others which keys it holds; the one that it encrypts with comes first. */
export function heldKeysMeta(keys: readonly GossipKey[]): Uint8Array {
  return Buffer.concat([PREFIX, Buffer.from(keys.map(fingerprintOf).join(''), 'hex')]);
}

/** The keys that a member holds; none if it does not say. */
export function heldKeys(meta: Uint8Array): readonly Fingerprint[] {
  const bytes = Buffer.from(meta);
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) return [];
  const hex = bytes.subarray(PREFIX.length).toString('hex');
  return hex.match(new RegExp(`.{${FINGERPRINT_BYTES * 2}}`, 'g')) ?? [];
}

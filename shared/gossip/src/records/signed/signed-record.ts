import { PackReader } from '../../wire/pack-reader.ts';
import { PackWriter } from '../../wire/pack-writer.ts';
import { Fields } from '../../wire/fields.ts';
import { Refusal } from '../../wire/refusal.ts';
import { aheadRefusal } from '../ahead-of-time.ts';
import type { GossipRecord } from '../record.ts';
import { fieldsOf, MAX_MS, recordIn, RECORD_FIELDS } from '../record-fields.ts';

/** How long a signature counts. Owners sign again after half of that time. */
export const SIGNED_FOR_MS = 10 * 60 * 1000;

/** A P-256 signature as in IEEE P1363: r and s. */
const SIGNATURE_BYTES = 64;
/** A certificate of shared/pki takes about 480 bytes, and a packet has room for 1,300. */
const MAX_CERTIFICATE_BYTES = 900;
const MAX_BODY_BYTES = 700;
/** Says what is signed, so that no other signature of the same key can be taken for it. */
const PURPOSE = Buffer.from('kopsctl gossip record 1\0');

/** A record with the signature of its owner, as it came from the network or from this peer's own key. */
export interface SignedRecord {
  readonly record: GossipRecord;
  /** When the record stops counting, whatever becomes of its owner. */
  readonly expiresMs: number;
  /** The encoding of both, which the signature covers. */
  readonly body: Uint8Array;
  readonly signature: Uint8Array;
  /** The certificate of the key, DER. */
  readonly certificate: Uint8Array;
}

/** The bytes that are signed. They include the label, so that a record counts in one cluster only. */
export function signedBytes(label: string, body: Uint8Array): Uint8Array {
  const labelBytes = Buffer.from(label);
  return Buffer.concat([PURPOSE, Buffer.of(labelBytes.length), labelBytes, body]);
}

export function encodeBody(record: GossipRecord, expiresMs: number): Uint8Array {
  return fieldsOf(new PackWriter().map(RECORD_FIELDS + 1), record)
    .key('Expires')
    .uint(expiresMs)
    .finish();
}

export function writeSigned(out: PackWriter, { body, signature, certificate }: SignedRecord): PackWriter {
  return out.map(3).key('Body').bytes(body).key('Signature').bytes(signature).key('Certificate').bytes(certificate);
}

/** Decodes a signed record, whose signature is still to be verified. Throws Refusal. */
export function readSigned(reader: PackReader): SignedRecord {
  const fields = new Fields(reader.map());
  // Copies, because references would keep a whole packet or state in memory.
  const copied = (name: string, maxBytes: number): Uint8Array => Uint8Array.from(fields.bytes(name, maxBytes));
  const body = copied('Body', MAX_BODY_BYTES);
  const signature = copied('Signature', SIGNATURE_BYTES);
  const certificate = copied('Certificate', MAX_CERTIFICATE_BYTES);
  const inBody = new Fields(new PackReader(body, 0).map());
  return { record: recordIn(inBody), expiresMs: inBody.uint('Expires', MAX_MS), body, signature, certificate };
}

/** What is wrong with the times of a record; undefined if nothing is. */
export function wrongTimes({ record, expiresMs }: SignedRecord, nowMs: number): Refusal | undefined {
  const { owner, name, stamp } = record;
  if (expiresMs > stamp.ms + SIGNED_FOR_MS) {
    return new Refusal('out-of-bounds', `${owner} signs ${name} for more than ${SIGNED_FOR_MS / 60_000} minutes`);
  }
  return aheadRefusal(record, nowMs);
}

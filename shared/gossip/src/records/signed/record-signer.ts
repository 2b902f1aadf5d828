import { createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto';
import type { GossipRecord } from '../record.ts';
import { encodeBody, signedBytes, SIGNED_FOR_MS, type SignedRecord } from './signed-record.ts';

/** A certificate of the authority of records, and its key. Both PEM. */
export interface RecordIdentity {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Signs this peer's own records. */
export class RecordSigner {
  readonly #label: string;
  readonly #key: KeyObject;
  /** DER. */
  readonly certificate: Uint8Array;

  constructor({ certificatePem, privateKeyPem }: RecordIdentity, label: string) {
    this.#label = label;
    this.#key = createPrivateKey(privateKeyPem);
    this.certificate = new X509Certificate(certificatePem).raw;
  }

  sign(record: GossipRecord): SignedRecord {
    const expiresMs = record.stamp.ms + SIGNED_FOR_MS;
    const body = encodeBody(record, expiresMs);
    const by = { key: this.#key, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', signedBytes(this.#label, body), by);
    return { record, expiresMs, body, signature, certificate: this.certificate };
  }
}

import { verify } from 'node:crypto';
import { canonicalAddress } from '@kopsctl/pki/inspect.ts';
import { Refusal } from '../../wire/refusal.ts';
import type { CertifiedKey, CertifiedKeys } from './certified-keys.ts';
import { signedBytes, type SignedRecord } from './signed-record.ts';

/**
 * Verifies that the owner of a record has written it and may have its addresses: a key that is certified for owner and
 * addresses has signed it. So no record can be forged, and none replayed for another machine. Throws Refusal.
 */
export function verifyRecord(signed: SignedRecord, keys: CertifiedKeys, label: string, nowMs: number): CertifiedKey {
  const { record, body, signature, certificate } = signed;
  const key = keys.keyOf(certificate);
  if (key.owner !== record.owner) {
    throw new Refusal('not-certified', `${key.owner} has signed a record of ${record.owner}`);
  }
  const foreign = record.addresses.find((address) => !key.addresses.includes(canonicalAddress(address)));
  if (foreign !== undefined) {
    throw new Refusal('not-certified', `${key.owner} is not certified for the address ${foreign}`);
  }
  if (nowMs < key.notBeforeMs || nowMs > key.notAfterMs) {
    throw new Refusal('not-certified', `the certificate of ${key.owner} is not valid at this time`);
  }
  const by = { key: key.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signedBytes(label, body), by, signature)) {
    throw new Refusal('not-certified', `the signature of ${record.name} of ${record.owner} is wrong`);
  }
  return key;
}

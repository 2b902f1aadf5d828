import { crc32c } from '@kopsctl/files/crc32c.ts';
import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { GoogleApi } from '@kopsctl/google/google-api.ts';

/** The two calls of Google's Key Management Service that envelopes need, for one key. */
export interface CloudKms {
  /** @param bound is needed again to decrypt */
  encrypt(plain: Uint8Array, bound: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** @throws GoogleRefusal for bytes that this key has not encrypted with what is bound to them */
  decrypt(encrypted: Uint8Array, bound: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** The endpoint of Cloud KMS: from a variable of gcloud, else Google's. Without a slash at its end. */
export const kmsEndpoint = (env: Readonly<Record<string, string | undefined>>): string =>
  (env['CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS'] || 'https://cloudkms.googleapis.com').replace(/\/+$/, '');

/**
 * A client for one key. Both ends send the CRC-32C of their data, as Google recommends: bytes that were changed before
 * they were encrypted would open nothing later.
 *
 * @param key `projects/…/locations/…/keyRings/…/cryptoKeys/…`
 */
export function openCloudKms(key: string, api: GoogleApi, endpoint: string): CloudKms {
  const call = async (verb: 'encrypt' | 'decrypt', body: object, signal: AbortSignal): Promise<AnswerFields> =>
    new AnswerFields(
      await api.call({ method: 'POST', url: `${endpoint}/v1/${key}:${verb}`, body }, signal),
      'Cloud KMS',
    );
  return {
    async encrypt(plain, bound, signal) {
      const body = { ...summed('plaintext', plain), ...summed('additionalAuthenticatedData', bound) };
      const answer = await call('encrypt', body, signal);
      const arrived = ['verifiedPlaintextCrc32c', 'verifiedAdditionalAuthenticatedDataCrc32c'];
      if (!arrived.every((name) => answer.flag(name))) throw new Error('Cloud KMS did not verify the data it received');
      return bytesOf(answer, 'ciphertext');
    },
    async decrypt(encrypted, bound, signal) {
      const body = { ...summed('ciphertext', encrypted), ...summed('additionalAuthenticatedData', bound) };
      return bytesOf(await call('decrypt', body, signal), 'plaintext');
    },
  };
}

/** Bytes in a request, with their checksum. 64-bit numbers are strings in JSON. */
const summed = (name: string, bytes: Uint8Array): Readonly<Record<string, string>> => ({
  [name]: Buffer.from(bytes).toString('base64'),
  [`${name}Crc32c`]: String(crc32c(0, bytes)),
});

/** Bytes in an answer. They are not quoted: they may be a data key. */
function bytesOf(answer: AnswerFields, name: string): Uint8Array {
  const bytes = Buffer.from(answer.text(name, ''), 'base64');
  if (bytes.byteLength > 0 && answer.wideCount(`${name}Crc32c`) === crc32c(0, bytes)) return bytes;
  throw new Error(`the ${name} in the answer of Cloud KMS was damaged in transit`);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CRC32C } from '@google-cloud/storage';
import { notFound, Refusal, refuse } from './google-refusal.ts';
import type { CheckedRequest } from './google-schema.ts';

/**
 * The keys of Cloud KMS: they encrypt with AES-256-GCM, so what is bound to a ciphertext is needed to decrypt it. What comes
 * with a checksum is compared with it, and what is answered has one.
 */
export class KeyState {
  /** By name. */
  readonly keys = new Map<string, Buffer>();
  /** Changes the bytes of answers after their checksum was made, as a broken proxy would. */
  damagesAnswers = false;

  make(name: string): void {
    this.keys.set(name, randomBytes(32));
  }

  answer({ method, parameters, body }: CheckedRequest): object | Refusal {
    const { projectsId, locationsId, keyRingsId, cryptoKeysId } = parameters;
    const name = `projects/${projectsId}/locations/${locationsId}/keyRings/${keyRingsId}/cryptoKeys/${cryptoKeysId}`;
    const key = this.keys.get(name);
    if (key === undefined) return notFound(name);
    const given = (body ?? {}) as Readonly<Record<string, string | undefined>>;
    for (const [field, sum] of Object.entries(given)) {
      if (!field.endsWith('Crc32c')) continue;
      if (sum !== sumOf(bytesIn(given[field.slice(0, -'Crc32c'.length)])))
        return refuse(400, 'badRequest', `The checksum in field ${field} did not match.`);
    }
    const bound = bytesIn(given['additionalAuthenticatedData']);
    if (method.id.endsWith('.encrypt')) return this.#encrypt(name, key, bytesIn(given['plaintext']), bound, given);
    return this.#decrypt(key, bytesIn(given['ciphertext']), bound);
  }

  #encrypt(
    name: string,
    key: Buffer,
    plain: Buffer,
    bound: Buffer,
    given: Readonly<Record<string, string | undefined>>,
  ): object {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound);
    const encrypted = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return {
      name: `${name}/cryptoKeyVersions/1`,
      ...this.#summed('ciphertext', encrypted),
      verifiedPlaintextCrc32c: given['plaintextCrc32c'] !== undefined,
      verifiedAdditionalAuthenticatedDataCrc32c: given['additionalAuthenticatedDataCrc32c'] !== undefined,
      protectionLevel: 'SOFTWARE',
    };
  }

  #decrypt(key: Buffer, encrypted: Buffer, bound: Buffer): object | Refusal {
    const refused = refuse(400, 'badRequest', "Decryption failed: verify that 'name' refers to the correct CryptoKey.");
    if (encrypted.byteLength < 28) return refused;
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12)).setAAD(bound);
    decipher.setAuthTag(encrypted.subarray(-16));
    try {
      const plain = Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
      return { ...this.#summed('plaintext', plain), usedPrimary: true, protectionLevel: 'SOFTWARE' };
    } catch {
      return refused;
    }
  }

  #summed(field: string, bytes: Buffer): object {
    const sent = Buffer.from(bytes);
    if (this.damagesAnswers) sent.writeUInt8(sent.readUInt8(0) ^ 1, 0);
    return { [field]: sent.toString('base64'), [`${field}Crc32c`]: sumOf(bytes) };
  }
}

const bytesIn = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');
/** By Google's own library. */
function sumOf(bytes: Buffer): string {
  const sum = new CRC32C();
  sum.update(bytes);
  return String(Buffer.from(sum.toString(), 'base64').readUInt32BE());
}

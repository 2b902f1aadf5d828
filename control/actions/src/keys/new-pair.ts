import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KeysetItem } from '@kopsctl/pki/keyset.ts';
import { readInputText } from '../files/read-input.ts';

export interface BroughtPair {
  /** A file with a certificate in PEM. */
  readonly cert?: string | undefined;
  /** A file with its private key in PEM. */
  readonly key?: string | undefined;
}

export interface NewPairEnv {
  /** It also names the pair: a later one has a larger id. */
  readonly nowMs: number;
  /** For files that are in a state store. */
  readonly env: NodeJS.ProcessEnv;
}

/** A new key pair for a keyset: made here, or brought by a person. A certificate without a key is trusted and never signs. */
export async function newPair(
  name: string,
  { cert, key }: BroughtPair,
  { nowMs, env }: NewPairEnv,
): Promise<KeysetItem> {
  const { createCertificateAuthority, createServiceAccountKeyset } = await import('@kopsctl/pki/authority.ts');
  const privateKeyPem = key === undefined ? undefined : await readInputText(key, env);
  const made = async (): Promise<KeysetItem> => {
    const { items } =
      name === 'service-account'
        ? await createServiceAccountKeyset({ nowMs, privateKeyPem })
        : await createCertificateAuthority({ commonName: name, nowMs, privateKeyPem });
    const [item] = items;
    if (item === undefined) throw new Error(`a new keyset ${name} has no key pair`);
    return item;
  };
  if (cert === undefined) return made();
  const certificatePem = await readInputText(cert, env);
  checkPair(name, cert, certificatePem, privateKeyPem);
  const { serialAt } = await import('@kopsctl/pki/serial.ts');
  // Two files that are brought in the same millisecond are told apart by what is in them.
  const distinct = createHash('sha256').update(certificatePem).digest().readUInt32BE(0);
  return { id: serialAt(nowMs, distinct), certificatePem, ...(privateKeyPem === undefined ? {} : { privateKeyPem }) };
}

/** Nothing of a private key is told: what a parser quotes of it would be a part of it. */
function checkPair(name: string, file: string, certificatePem: string, privateKeyPem: string | undefined): void {
  const refuse = (why: string): ActionableError =>
    new ActionableError({
      what: `add ${file} to the keyset ${name}`,
      why,
      next: 'name a certificate in PEM and its key',
    });
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certificatePem);
  } catch (error) {
    throw refuse(`it is not a PEM certificate (${messageOf(error)})`);
  }
  if (name !== 'service-account' && !certificate.ca) throw refuse('it is not the certificate of an authority');
  if (privateKeyPem === undefined) return;
  let belongs: boolean;
  try {
    belongs = certificate.checkPrivateKey(createPrivateKey(privateKeyPem));
  } catch {
    throw refuse('the key is not a PEM private key');
  }
  if (!belongs) throw refuse('the key does not belong to the certificate');
}

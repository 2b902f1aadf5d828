import { createPrivateKey, createPublicKey, generateKeyPair, webcrypto, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

export interface KeyPair {
  /** PKCS#8 (`BEGIN PRIVATE KEY`), which Go's, OpenSSL's and Node's readers all take. */
  readonly privateKeyPem: string;
  readonly publicKey: KeyObject;
}

/** A new ECDSA P-256 pair: a tenth of the time and size of RSA-2048, and accepted wherever Kubernetes 1.20 takes a key. */
export async function createKeyPair(): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return { privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey };
}

/** A private key that a person brought, and its public half. @throws ActionableError that reveals nothing of the key */
export const givenPair = (privateKeyPem: string, owner: string): KeyPair => ({
  privateKeyPem,
  publicKey: createPublicKey(parsePrivateKey(privateKeyPem, owner)),
});

export interface SigningKey {
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: { readonly name: string; readonly hash: string };
}

/** OpenSSL's and Go's names of the curves, with WebCrypto's. */
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** A private key in any PEM form (kops's own keysets hold RSA in PKCS#1) as WebCrypto signs with it. */
export async function importSigningKey(privateKeyPem: string, owner: string): Promise<SigningKey> {
  const key = parsePrivateKey(privateKeyPem, owner);
  const importAs = async (name: string, namedCurve?: string) => ({
    key: await webcrypto.subtle.importKey(
      'pkcs8',
      key.export({ type: 'pkcs8', format: 'der' }),
      namedCurve === undefined ? { name, hash: 'SHA-256' } : { name, namedCurve },
      false,
      ['sign'],
    ),
    algorithm: { name, hash: 'SHA-256' },
  });
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (key.asymmetricKeyType === 'rsa') return importAs('RSASSA-PKCS1-v1_5');
  if (key.asymmetricKeyType === 'ec' && curve !== undefined) return importAs('ECDSA', curve);
  throw unusable(owner, `it is of the type ${key.asymmetricKeyType}, and only RSA and NIST curves can sign here`);
}

function parsePrivateKey(pem: string, owner: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw unusable(owner, messageOf(cause), cause);
  }
}

function unusable(owner: string, why: string, cause?: unknown): ActionableError {
  return new ActionableError({
    what: `use the private key of ${owner}`,
    why,
    next: 'restore the keyset from a backup, or rotate it to a new key pair',
    ...(cause !== undefined && { cause }),
  });
}

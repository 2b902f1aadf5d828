import { X509Certificate, type KeyObject } from 'node:crypto';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';
import { Refusal } from '../../wire/refusal.ts';

/** Several times as many control planes as a cluster has. */
const MAX_KNOWN = 256;

/** A key that the authority of records has certified, and for what. */
export interface CertifiedKey {
  readonly publicKey: KeyObject;
  /** The peer whose records it signs. */
  readonly owner: string;
  /** The roles of that peer. */
  readonly roles: readonly string[];
  /** The only addresses that its records may have. */
  readonly addresses: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The keys of certificates that have been seen. Verifying one takes a tenth of a millisecond, so it is done once. */
export class CertifiedKeys {
  #authoritiesPem: string;
  /** By the bytes of the certificate; the one used last comes last. */
  readonly #known = new Map<string, CertifiedKey>();

  constructor(authoritiesPem: string) {
    this.#authoritiesPem = authoritiesPem;
  }

  /** Trusts these authorities (a PEM bundle) instead. */
  replaceAuthorities(authoritiesPem: string): void {
    if (authoritiesPem === this.#authoritiesPem) return;
    this.#authoritiesPem = authoritiesPem;
    this.#known.clear();
  }

  /** The key of a certificate (DER). Throws Refusal where no authority has signed it. */
  keyOf(certificate: Uint8Array): CertifiedKey {
    const text = Buffer.from(certificate.buffer, certificate.byteOffset, certificate.length).toString('latin1');
    const known = this.#known.get(text);
    this.#known.delete(text);
    const key = known ?? this.#verified(certificate);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    this.#known.set(text, key);
    return key;
  }

  #verified(certificate: Uint8Array): CertifiedKey {
    const x509 = parsed(certificate);
    const found = inspectCertificate(x509.toString(), { authoritiesPem: this.#authoritiesPem });
    if (found.isSignedByAuthority !== true) {
      throw new Refusal(
        'not-certified',
        `the certificate of ${found.commonName} is not issued by an authority for gossip records`,
      );
    }
    if (x509.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
      throw new Refusal('not-certified', `the key of ${found.commonName} is not a P-256 key`);
    }
    return {
      publicKey: x509.publicKey,
      owner: found.commonName,
      roles: found.organizations,
      addresses: found.ipAddresses,
      notBeforeMs: found.notBeforeMs,
      notAfterMs: found.notAfterMs,
    };
  }
}

function parsed(certificate: Uint8Array): X509Certificate {
  const x509 = readable(certificate);
  // The parser ignores what follows a certificate, and each variant would take a place among the known ones.
  if (x509?.raw.equals(certificate) === true) return x509;
  throw new Refusal('malformed', 'a signed record comes with a certificate that cannot be read');
}

function readable(certificate: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate);
  } catch {
    return undefined; // OpenSSL's many errors all mean that it is not a certificate.
  }
}

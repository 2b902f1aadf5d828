import { createHmac, timingSafeEqual } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { canonicalName } from '../zone.ts';

/** The secure digests of RFC 8945 §6, by their DNS names. */
const DIGESTS = { 'hmac-sha256': 'sha256', 'hmac-sha384': 'sha384', 'hmac-sha512': 'sha512' } as const;
export type TsigAlgorithm = keyof typeof DIGESTS;

/** A shared key. The secret is private, so that it cannot get into a log. */
export class TsigKey {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly #secret: Uint8Array;

  constructor(name: string, algorithm: TsigAlgorithm, secret: Uint8Array) {
    this.name = canonicalName(name);
    this.algorithm = algorithm;
    this.#secret = secret;
  }

  mac(parts: readonly Uint8Array[]): Buffer {
    const hmac = createHmac(DIGESTS[this.algorithm], this.#secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  }

  /** Only complete MACs are accepted: this client never requests truncated ones (RFC 8945 §5.2.2.1). */
  isMacOf(mac: Uint8Array, parts: readonly Uint8Array[]): boolean {
    const expected = this.mac(parts);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  }
}

/**
 * Parses a key in either format of the name servers' tools: `hmac-sha256:name:c2VjcmV0` (keymgr -t, nsupdate -y) or
 * `key "name" { algorithm hmac-sha256; secret "c2VjcmV0"; };` (tsig-keygen, named.conf).
 */
export function parseTsigKey(text: string): TsigKey {
  const short = /^\s*([\w-]+):([^\s:"]+):([A-Za-z0-9+/]+=*)\s*$/.exec(text);
  const name = short?.[2] ?? /key\s+"?([^\s"{]+)"?\s*\{/.exec(text)?.[1];
  const algorithm = (short?.[1] ?? /algorithm\s+"?([\w.-]+)"?\s*;/.exec(text)?.[1])?.toLowerCase();
  const secret = short?.[3] ?? /secret\s+"?([A-Za-z0-9+/]+=*)"?\s*;/.exec(text)?.[1];
  if (name === undefined || algorithm === undefined || secret === undefined) {
    throw unusable('it is neither `algorithm:name:secret` nor a `key "name" { … };` of named.conf');
  }
  if (!isAlgorithm(algorithm)) {
    throw unusable(`its algorithm is ${algorithm}; supported are ${Object.keys(DIGESTS).join(', ')}`);
  }
  return new TsigKey(name, algorithm, Buffer.from(secret, 'base64'));
}

function isAlgorithm(name: string): name is TsigAlgorithm {
  return Object.hasOwn(DIGESTS, name);
}

/** The error does not quote the text, which contains the secret. */
function unusable(why: string): ActionableError {
  const next = 'create a key with `tsig-keygen -a hmac-sha256 NAME`, and add it to the name server too';
  return new ActionableError({ what: 'read the TSIG key for DNS updates', why, next });
}

import { constants, type KeyObject, verify } from 'node:crypto';
import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/** A JSON Web Token (RFC 7519) as it came from the network. */
export interface IdentityToken {
  readonly keyId: string;
  /** The text that the signature is of. */
  readonly signed: string;
  readonly signature: Buffer;
  /** Worth nothing until the signature is verified. */
  readonly claims: unknown;
}

/** Google's tokens have about 1,000 characters, more with licence numbers. */
const MAX_CHARACTERS = 16 * 1024;

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Parses a token. Only RS256 is known here, with which Google signs for machines: a token cannot choose how, or with
 * what, it is verified.
 *
 * @throws EvidenceRefused if it is not such a token
 */
export function parseIdentityToken(token: string): IdentityToken {
  const [header = '', claims = '', signature = '', ...others] = token.length > MAX_CHARACTERS ? [] : token.split('.');
  if (others.length > 0) throw new EvidenceRefused('the token does not have three parts');
  const fields = new Map(Object.entries(asObject(parseJson('header', header))));
  const algorithm = fields.get('alg');
  if (algorithm !== 'RS256') throw new EvidenceRefused('the token is not signed with RS256');
  // RFC 7515, section 4.1.11: extensions that must be understood. None are.
  if (fields.has('crit')) throw new EvidenceRefused('the token has critical extensions');
  const keyId = fields.get('kid');
  if (typeof keyId !== 'string' || !/^[\w-]{1,128}$/.test(keyId)) throw new EvidenceRefused('the token names no key');
  return {
    keyId,
    signed: `${header}.${claims}`,
    signature: decoded('signature', signature),
    claims: parseJson('payload', claims),
  };
}

/** Whether the signature is that key's (RFC 7518, section 3.3). */
export function isSignedBy(
  { signed, signature }: Pick<IdentityToken, 'signed' | 'signature'>,
  key: KeyObject,
): boolean {
  const padding = constants.RSA_PKCS1_PADDING;
  return verify('sha256', Buffer.from(signed, 'latin1'), { key, padding }, signature);
}

/** Refuses what decodes to the same bytes but is written differently. */
function decoded(part: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (!BASE64URL.test(text) || bytes.toString('base64url') !== text) {
    throw new EvidenceRefused(`the ${part} of the token is not base64url`);
  }
  return bytes;
}

function parseJson(part: string, text: string): unknown {
  const bytes = decoded(part, text);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new EvidenceRefused(`the ${part} of the token is not JSON`);
  }
}

function asObject(value: unknown): object {
  if (isRecord(value)) return value;
  throw new EvidenceRefused('the header of the token is not an object');
}

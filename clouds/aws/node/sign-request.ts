import { createHash, createHmac } from 'node:crypto';
import type { Keys } from './credentials.ts';

/** A POST to `/`. */
export interface UnsignedRequest {
  readonly host: string;
  readonly region: string;
  readonly service: string;
  readonly body: string;
  readonly contentType: string;
  /** Headers that are signed as well, by names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a signer adds to a request. Anyone who knows the request can build the signed request from it. */
export interface RequestSignature {
  readonly accessKeyId: string;
  /** `20261122T210000Z` */
  readonly date: string;
  readonly sessionToken?: string;
  /** 64 hexadecimal digits. */
  readonly signature: string;
}

/** Signs a request with AWS Signature Version 4. Pure: the time is passed in. */
export function signRequest(request: UnsignedRequest, keys: Keys, nowMs: number): RequestSignature {
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const date = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const signer = { accessKeyId, date, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const headers = headersToSign(request, signer);
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', '', lines.join(''), namesOf(headers), sha256(request.body)].join('\n');
  const scope = scopeOf(request, date);
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (above, part) => createHmac('sha256', above).update(part).digest(),
      `AWS4${secretAccessKey}`,
    );
  return { ...signer, signature: createHmac('sha256', key).update(toSign).digest('hex') };
}

/** The headers of a request that was signed, with its signature. */
export function headersWith(request: UnsignedRequest, signed: RequestSignature): Readonly<Record<string, string>> {
  const headers = headersToSign(request, signed);
  const credential = `${signed.accessKeyId}/${scopeOf(request, signed.date)}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${namesOf(headers)}, Signature=${signed.signature}`,
  };
}

/** The headers of a request, signed. */
export const signedHeaders = (request: UnsignedRequest, keys: Keys, nowMs: number): Readonly<Record<string, string>> =>
  headersWith(request, signRequest(request, keys, nowMs));

/** Sorted by name, as the signature requires. */
function headersToSign(
  { contentType, host, headers = {} }: UnsignedRequest,
  { date, sessionToken }: Omit<RequestSignature, 'signature'>,
): Readonly<Record<string, string>> {
  const all = {
    'content-type': contentType,
    host,
    'x-amz-date': date,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const namesOf = (headers: Readonly<Record<string, string>>): string => Object.keys(headers).join(';');

const scopeOf = ({ region, service }: UnsignedRequest, date: string): string =>
  `${date.slice(0, 8)}/${region}/${service}/aws4_request`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

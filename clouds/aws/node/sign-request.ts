import { createHash, createHmac } from 'node:crypto';
import type { Keys } from './credentials.ts';

export interface UnsignedRequest {
  readonly host: string;
  readonly region: string;
  readonly service: string;
  readonly body: string;
  readonly contentType: string;
}

/** The headers of a POST to `/`, including the AWS Signature Version 4. Pure: the time is passed in. */
export function signedHeaders(request: UnsignedRequest, keys: Keys, nowMs: number): Readonly<Record<string, string>> {
  const { host, region, service, body, contentType } = request;
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  // Sorted by name, as the signature requires.
  const headers = {
    'content-type': contentType,
    host,
    'x-amz-date': time,
    ...(keys.sessionToken === undefined ? {} : { 'x-amz-security-token': keys.sessionToken }),
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (above, part) => createHmac('sha256', above).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

import type { UnsignedRequest } from '../sign-request.ts';

/** The Security Token Service of a region. */
export interface Sts {
  /** `https://sts.us-east-1.amazonaws.com/` */
  readonly endpoint: string;
  readonly region: string;
}

/**
 * The request that proves which machine signed it: STS answers with the role and the session of the keys, and the
 * session of a machine's role is named after its instance. The signed challenge makes it worthless anywhere else.
 *
 * A machine signs this request and sends only its signature; an authority makes the same request from what it knows.
 * No part of a request comes from the network that way: rebuilding leaves nothing to validate (CVE-2020-16250 of Vault
 * and CVE-2022-2385 of aws-iam-authenticator were lenient checks of requests that clients had sent).
 */
export function callerIdentityRequest({ endpoint, region }: Sts, challenge?: Uint8Array): UnsignedRequest {
  return {
    host: new URL(endpoint).host,
    region,
    service: 'sts',
    body: 'Action=GetCallerIdentity&Version=2011-06-15',
    contentType: 'application/x-www-form-urlencoded; charset=utf-8',
    ...(challenge !== undefined && { headers: { 'x-kops-attest': Buffer.from(challenge).toString('base64url') } }),
  };
}

import { sendForJson, type GoogleHttp } from './google-http.ts';

const TOKEN_URL = 'http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token';

/** The metadata server gives a new token when the old one has less than five minutes left. */
const RENEW_BEFORE_MS = 4 * 60_000;

/** Says who this machine is, to Google. */
export type BearerToken = () => Promise<string>;

/** The token of the service account that a machine of GCE runs as, asked for again shortly before it ends. */
export function metadataToken(http: GoogleHttp, nowMs: () => number): BearerToken {
  let known: { readonly token: string; readonly renewAtMs: number } | undefined;
  return async () => {
    if (known !== undefined && nowMs() < known.renewAtMs) return known.token;
    const request = { method: 'GET', url: TOKEN_URL, headers: { 'Metadata-Flavor': 'Google' } } as const;
    const reply = (await sendForJson('get a token from the metadata server', request, http)) as TokenReply;
    if (typeof reply.access_token !== 'string' || typeof reply.expires_in !== 'number') {
      throw new Error('the metadata server answered without a token');
    }
    known = { token: reply.access_token, renewAtMs: nowMs() + reply.expires_in * 1000 - RENEW_BEFORE_MS };
    return known.token;
  };
}

interface TokenReply {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
}

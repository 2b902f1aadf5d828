import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openExchange } from '@kopsctl/http/exchange.ts';
import type { AccessToken } from './access-token.ts';
import { GoogleRefusal, isPassing, refusalOf } from './google-refusal.ts';

/** Requests are repeated when no answer comes, so what they change must be named by a request id or a condition. */
export interface GoogleRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: object;
  /** For requests that wait for something; 20 seconds otherwise. */
  readonly withinMs?: number;
}

/** The way to Google's servers, by REST and JSON. */
export interface GoogleApi {
  /** What the server answers. @throws GoogleRefusal, or ActionableError where it does not answer */
  call(request: GoogleRequest, signal: AbortSignal): Promise<unknown>;
}

export interface GoogleApiOptions {
  readonly token: AccessToken;
  readonly random: () => number;
}

const ANSWER_WITHIN_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Over about half a minute: what lasts longer is for the caller to report. */
const TRIES = 7;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Google's APIs by hand: the agents make a dozen calls of the thousands that Google's clients know, and that of Compute
 * Engine alone brings 12 MB of schema.
 */
export function openGoogleApi({ token, random }: GoogleApiOptions): GoogleApi {
  const exchange = openExchange();
  const once = async (request: GoogleRequest, asked: string, signal: AbortSignal): Promise<unknown> => {
    const { method, url, withinMs = ANSWER_WITHIN_MS } = request;
    const headers = { authorization: `Bearer ${await token(signal)}` };
    const sent = { method, url, withinMs, maxBytes: MAX_ANSWER_BYTES };
    const answer = await exchange(
      request.body === undefined
        ? // Google's front end wants a length of every POST.
          { ...sent, headers: method === 'POST' ? { ...headers, 'content-length': '0' } : headers }
        : { ...sent, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(request.body) },
      signal,
    );
    if (answer.status < 200 || answer.status > 299) throw refusalOf(asked, answer.status, answer.body);
    return JSON.parse(answer.body);
  };

  return {
    async call(request, signal) {
      const { host, pathname } = new URL(request.url);
      const asked = `${request.method} ${pathname}`;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(request, asked, signal);
        } catch (thrown) {
          signal.throwIfAborted();
          if (thrown instanceof ActionableError) throw thrown;
          if (thrown instanceof GoogleRefusal && !isPassing(thrown)) throw thrown;
          if (attempt === TRIES) throw unanswered(asked, host, thrown);
          const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
          await sleep(pauseMs * (0.5 + random()), undefined, { signal });
        }
      }
    },
  };
}

const unanswered = (asked: string, host: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: `ask Google (${asked})`,
    why: `${host} did not answer ${TRIES} times: ${messageOf(cause)}`,
    next: `look at the way out of this subnet to ${host}: an external address, Cloud NAT, or Private Google Access`,
    cause,
  });

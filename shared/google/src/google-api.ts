import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain, CLOUD_API } from '@kopsctl/http/ask-again.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import type { AccessToken } from './access-token.ts';
import { GoogleRefusal, isPassing, refusalOf } from './google-refusal.ts';

/** Requests are repeated when no answer comes, so requests that change something need a request id or a condition. */
export interface GoogleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  /** What is uploaded, instead of a body in JSON. */
  readonly media?: Media;
  /** For requests that wait for something. Default: 20 seconds. */
  readonly withinMs?: number;
}

export interface Media {
  readonly type: string;
  readonly text: string;
}

/** The way to Google's servers, by REST and JSON. */
export interface GoogleApi {
  /** Returns the answer. @throws GoogleRefusal, or ActionableError when the server does not answer */
  call(request: GoogleRequest, signal: AbortSignal): Promise<unknown>;
}

const ANSWER_WITHIN_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface GoogleApiOptions {
  /** What a person can do when a host does not answer. */
  readonly ifUnanswered?: (host: string) => string;
  /** The project whose quota the requests count against, where that is not the project of the account itself. */
  readonly quotaProject?: () => Promise<string | undefined>;
}

/**
 * A small client of Google's APIs: the agents make a dozen calls of the thousands that Google's clients know, and the
 * client of Compute Engine alone brings 12 MB of schema.
 */
export function openGoogleApi(
  token: AccessToken,
  { ifUnanswered = routeOfMachine, quotaProject = async () => undefined }: GoogleApiOptions = {},
): GoogleApi {
  const http = openHttp();
  const once = async (request: GoogleRequest, asked: string, signal: AbortSignal): Promise<unknown> => {
    const { method, url, withinMs = ANSWER_WITHIN_MS } = request;
    const authorization = `Bearer ${await token(signal)}`;
    const project = await quotaProject();
    const headers = { authorization, ...(project !== undefined && { 'x-goog-user-project': project }) };
    const sent = { method, url, withinMs, maxBytes: MAX_ANSWER_BYTES };
    const media = mediaOf(request);
    const answer = await http.ask(
      media === undefined
        ? // Google's front end wants a length of every POST.
          { ...sent, headers: method === 'POST' ? { ...headers, 'content-length': '0' } : headers }
        : { ...sent, headers: { ...headers, 'content-type': media.type }, body: media.text },
      signal,
    );
    if (answer.status < 200 || answer.status > 299) throw refusalOf(asked, answer.status, answer.body);
    // The answer to a deletion is empty.
    return answer.body === '' ? {} : JSON.parse(answer.body);
  };

  return {
    async call(request, signal) {
      const { host, pathname } = new URL(request.url);
      const asked = `${request.method} ${pathname}`;
      const mayPass = (thrown: unknown): boolean => !(thrown instanceof GoogleRefusal) || isPassing(thrown);
      const explain = (thrown: unknown): unknown =>
        mayPass(thrown) ? unanswered(asked, host, ifUnanswered(host), thrown) : thrown;
      return askAgain(() => once(request, asked, signal), { pace: CLOUD_API, isPassing: mayPass, explain }, signal);
    },
  };
}

const mediaOf = ({ body, media }: GoogleRequest): Media | undefined =>
  media ?? (body && { type: 'application/json', text: JSON.stringify(body) });

const routeOfMachine = (host: string): string =>
  `check the route from this subnet to ${host}: an external address, Cloud NAT, or Private Google Access`;

const unanswered = (asked: string, host: string, next: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: `ask Google (${asked})`,
    why: `${host} did not answer ${CLOUD_API.retries + 1} times: ${messageOf(cause)}`,
    next,
    cause,
  });

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { parseRefusal } from './metadata-answers.ts';

export const METADATA_URL = 'http://169.254.169.254';

/** The metadata service only ends together with its machines, so few attempts are enough. */
const PACE: Pace = { retries: 7, minTimeout: 500, factor: 1.5, maxTimeout: 4000 };
/** A wait returns after a minute even without a change. */
const SILENCE_LIMIT_MS = 3 * 60_000;
/** The lists of a thousand machines are a fraction of this. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

interface Call {
  readonly method?: string;
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

type Ask = <T>(what: string, call: Call, parse: (answer: unknown) => T, signal: AbortSignal) => Promise<T>;

/** Sends requests to the metadata service. `what` completes "cannot …" in errors. */
export function metadataClient(baseUrl: string): Ask {
  const http = openHttp();
  return async (what, { method = 'GET', path, body: sent }, parse, signal) => {
    const url = `${baseUrl}${path}`;
    const question = { method, url, body: sent, silenceMs: SILENCE_LIMIT_MS, maxBytes: MAX_ANSWER_BYTES };
    const explain = (cause: unknown) =>
      new ActionableError({
        what,
        why: `the metadata service at ${url} cannot be reached: ${messageOf(cause)}`,
        next: 'check the network of this machine (`ip address`, `ip route`), and see supervisor.log on the host',
        cause,
      });
    // Broken connections are retried; a repeated attach changes nothing.
    const { status, body } = await askAgain(
      () => http.ask(question, signal),
      { pace: PACE, isPassing: () => true, explain },
      signal,
    );
    const parsed = <T>(read: (answer: unknown) => T): T => {
      try {
        return read(JSON.parse(body));
      } catch (cause) {
        throw new ActionableError({
          what,
          why: `the response of ${url} (status ${status}) is not that of a metadata service: ${messageOf(cause)}`,
          next: 'check what serves 169.254.169.254 for this machine, and see supervisor.log on the host',
          cause,
        });
      }
    };
    if (status === 200) return parsed(parse);
    throw new ActionableError({
      what,
      why: parsed(parseRefusal),
      next: 'check the role of this machine with `kopsctl get instances` on the host',
    });
  };
}

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openHttp, type StreamedAnswer, type TlsIdentity } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';

/** Far more than any manifest: the API server accepts objects of at most 1.5 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 60_000;
/** Release downloads redirect once or twice. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a channel or manifest by HTTPS. Redirects must stay with HTTPS: no hash protects a channel, so its server
 * has to prove who it is.
 *
 * @param tls trusted authorities, instead of those of Node.js
 */
export async function fetchHttps(url: string, signal: AbortSignal, tls?: TlsIdentity): Promise<Buffer> {
  const http = openHttp({ keepAlive: false, ...(tls === undefined ? {} : { tls }) });
  const withinMs = ANSWER_TIMEOUT_MS;
  try {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await http.stream({ method: 'GET', url: at, withinMs }, signal);
      const next = redirectOf(answer, at);
      if (next === undefined) return await bodyOf(answer, url);
      answer.body.destroy();
      if (!next.startsWith('https:'))
        throw unreadable(url, `it redirects to ${next}`, 'name a location that stays with https');
      at = next;
    }
    throw unreadable(url, `it redirects more than ${MAX_REDIRECTS} times`, 'name the location that it redirects to');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ActionableError) throw error;
    throw unreadable(url, messageOf(error), `check that this machine reaches it: curl -I ${url}`, error);
  } finally {
    http.close();
  }
}

function redirectOf({ status, headers }: StreamedAnswer, at: string): string | undefined {
  return REDIRECTS.has(status) && headers.location !== undefined ? new URL(headers.location, at).href : undefined;
}

async function bodyOf({ status, body }: StreamedAnswer, url: string): Promise<Buffer> {
  if (status >= 200 && status < 300) return readWhole(body, MAX_BYTES);
  body.destroy();
  throw unreadable(url, `it answered ${status}`, `check that this machine reaches it: curl -I ${url}`);
}

const unreadable = (what: string, why: string, next: string, cause?: unknown): ActionableError =>
  new ActionableError({ what: `read ${what}`, why, next, ...(cause === undefined ? {} : { cause }) });

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import { openHttp, type StreamedAnswer, type TlsIdentity } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';

/** Far more than any manifest: the API server accepts objects of at most 1.5 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 60_000;

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
    return await bodyOf(await streamFollowing(http, { method: 'GET', url, withinMs }, signal), url);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ActionableError) throw error;
    throw unreadable(url, messageOf(error), `check that this machine reaches it: curl -I ${url}`, error);
  } finally {
    http.close();
  }
}

async function bodyOf({ status, body }: StreamedAnswer, url: string): Promise<Buffer> {
  if (status >= 200 && status < 300) return readWhole(body, MAX_BYTES);
  body.destroy();
  throw unreadable(url, `it answered ${status}`, `check that this machine reaches it: curl -I ${url}`);
}

const unreadable = (what: string, why: string, next: string, cause?: unknown): ActionableError =>
  new ActionableError({ what: `read ${what}`, why, next, ...(cause === undefined ? {} : { cause }) });

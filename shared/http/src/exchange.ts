import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

export interface Question {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs: number;
  readonly maxBytes: number;
}

export interface Answer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request and its whole answer, whatever its status. */
export type Exchange = (question: Question, signal: AbortSignal) => Promise<Answer>;

/**
 * Connections are kept, and no signal is made for a request: with a connection and a signal for each, an agent that
 * asks every few seconds grows by 90 MB until V8 sees a reason to collect. node:http and not fetch, which brings a
 * second HTTP client of 17 MB.
 */
export function openExchange(): Exchange {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return async ({ method, url, headers, body, withinMs, maxBytes }, signal) => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = url.startsWith('https:')
      ? requestHttps(url, { method, headers, agent: https })
      : requestHttp(url, { method, headers, agent: http });
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > maxBytes) sent.destroy(new Error(`the answer is larger than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    const stop = (): void => {
      reject(signal.reason);
      sent.destroy();
    };
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${withinMs} ms`)), withinMs);
    signal.addEventListener('abort', stop, { once: true });
    sent.end(body);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  };
}

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

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
  readonly body: string;
}

/**
 * One request and its whole answer, whatever its status.
 * node:http and not fetch, which brings a second HTTP client of 17 MB into each agent.
 */
export async function exchange(question: Question, signal: AbortSignal): Promise<Answer> {
  const { method, url, headers, body, withinMs, maxBytes } = question;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const failed = (thrown: unknown): void => {
    const isLate = within.aborted && !signal.aborted;
    reject(isLate ? new Error(`no answer within ${withinMs} ms`) : thrown);
  };
  const sent = request(url, { method, headers, signal: within, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxBytes) response.destroy(new Error(`the answer is larger than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    response.once('error', failed);
    response.once('end', () =>
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
    );
  });
  sent.once('error', failed);
  sent.end(body);
  return promise;
}

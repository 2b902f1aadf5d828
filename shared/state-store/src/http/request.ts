import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True when an earlier attempt may have reached the server although no answer came back. */
  readonly wasRepeated: boolean;
}

export interface Question {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Four tries within about three seconds bridge a restart of the server; longer waits belong to the caller's own deadline. */
const RETRY_DELAYS_MS = [100, 500, 2000];
const SILENCE_LIMIT_MS = 30_000;
/** As much as a server of ours takes, and room for a list. */
const MAX_REPLY_BYTES = 128 * 1024 * 1024;

/** Asks, and asks again when the connection breaks or the server answers 500, 502, 503 or 504. Any other status is an answer. */
export async function ask(what: string, question: Question): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await askOnce(question).catch((thrown: unknown) => ({ thrown }));
    question.signal?.throwIfAborted();
    if (!('thrown' in outcome) && outcome.status < 500) return { ...outcome, wasRepeated: attempt > 0 };
    const delayMs = RETRY_DELAYS_MS[attempt];
    if (delayMs === undefined || ('status' in outcome && outcome.status === 501))
      throw unanswered(what, question.url, outcome);
    await sleep(
      delayMs * (0.5 + Math.random() / 2),
      undefined,
      question.signal === undefined ? {} : { signal: question.signal },
    );
  }
}

async function askOnce(question: Question): Promise<Omit<Reply, 'wasRepeated'>> {
  const { request } = question.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request(
      question.url,
      {
        method: question.method,
        headers: { ...question.headers, ...(question.body && { 'content-length': String(question.body.byteLength) }) },
        ...(question.signal && { signal: question.signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          if (size > MAX_REPLY_BYTES) response.destroy(new Error(`the answer is larger than ${MAX_REPLY_BYTES} bytes`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.setTimeout(SILENCE_LIMIT_MS, () => sent.destroy(new Error(`no answer within ${SILENCE_LIMIT_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(question.body);
  });
}

function unanswered(
  what: string,
  url: URL,
  outcome: { thrown: unknown } | { status: number; body: Buffer },
): ActionableError {
  const failed = 'thrown' in outcome;
  return new ActionableError({
    what,
    why: failed
      ? `${url.origin} did not answer: ${messageOf(outcome.thrown)}`
      : `${url.origin} answered ${outcome.status}: ${outcome.body.toString('utf8', 0, 300).trim()}`,
    next: `check that the state store answers: curl -i ${url.origin}/`,
    ...(failed && { cause: outcome.thrown }),
  });
}

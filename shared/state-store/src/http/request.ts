import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';

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
/** After the last byte of a gigabyte the server brings it to its disk before it answers. */
const STREAM_SILENCE_LIMIT_MS = 2 * 60_000;
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

export interface StreamedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unread. Its end before the announced length is an error. */
  readonly body: IncomingMessage;
}

/** Asks once, with the body and the answer as streams: what was sent cannot be sent again, so the caller decides. */
export async function askStreaming(
  what: string,
  question: Omit<Question, 'body'> & { readonly chunks?: AsyncIterable<Uint8Array> },
): Promise<StreamedReply> {
  const { request } = question.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const sent = request(question.url, {
    method: question.method,
    headers: { ...question.headers },
    ...(question.signal && { signal: question.signal }),
  });
  const silent = new Error(`no answer within ${STREAM_SILENCE_LIMIT_MS / 1000} s`);
  sent.setTimeout(STREAM_SILENCE_LIMIT_MS, () => sent.destroy(silent));
  // A refusal may arrive while the body is still on its way: then it counts, not that the rest could not be sent.
  const body = await new Promise<IncomingMessage>((resolve, reject) => {
    let isAnswered = false;
    sent.once('response', (response) => {
      isAnswered = true;
      resolve(response);
    });
    sent.once('error', reject);
    sendAll(question.chunks, sent, () => isAnswered).catch((thrown: unknown) => {
      reject(thrown);
      sent.destroy();
    });
  }).catch((thrown: unknown) => {
    question.signal?.throwIfAborted();
    throw isOfNetwork(thrown) ? unanswered(what, question.url, { thrown }) : thrown;
  });
  // From here on an error of the connection is one of the answer's body.
  sent.on('error', () => undefined);
  return { status: body.statusCode ?? 0, headers: body.headers, body };
}

function isOfNetwork(thrown: unknown): boolean {
  return codeOf(thrown)?.startsWith('E') === true || messageOf(thrown).startsWith('no answer within');
}

/** Sends every chunk, waiting whenever the other side is slower, until there are no more or an answer has come. */
async function sendAll(
  chunks: AsyncIterable<Uint8Array> | undefined,
  sent: ClientRequest,
  isAnswered: () => boolean,
): Promise<void> {
  for await (const chunk of chunks ?? []) {
    if (sent.destroyed || isAnswered()) return;
    if (!sent.write(chunk)) await drained(sent);
  }
  sent.end();
}

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of EVENTS) sent.off(event, done);
      resolve();
    };
    for (const event of EVENTS) sent.on(event, done);
  });
}

/** After any of these a writer need not wait any longer. */
const EVENTS = ['drain', 'close', 'response'] as const;

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

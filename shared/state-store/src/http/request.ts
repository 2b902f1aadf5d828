import type { IncomingHttpHeaders } from 'node:http';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain } from '@kopsctl/http/ask-again.ts';
import type { Pace } from '@kopsctl/http/try-again.ts';
import { type Http, NoAnswerError, type StreamedAnswer } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True when an earlier attempt may have reached the server although no answer came back. */
  readonly wasRepeated: boolean;
}

/** How long a server may say nothing. */
export interface Silence {
  readonly wholeMs: number;
  /** After the last byte of a gigabyte the server brings it to its disk before it answers. */
  readonly streamMs: number;
}

export const SILENCE: Silence = { wholeMs: 30_000, streamMs: 2 * 60_000 };

export interface Question {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Four tries within about three seconds outlast a restart of the server; longer waits belong to the caller's own deadline. */
const PACE: Pace = { retries: 3, minTimeout: 100, factor: 5, maxTimeout: 2000, randomize: true };
/** More than our server accepts in one write, with room for a list. */
const MAX_REPLY_BYTES = 128 * 1024 * 1024;

/** The server answered that it failed. */
class ServerFault extends Error {
  constructor(origin: string, status: number, body: Buffer) {
    super(`${origin} answered ${status}: ${body.toString('utf8', 0, 300).trim()}`);
  }
}

/** Asks, and asks again when the connection breaks or the server answers 5xx other than 501. Any other status is an answer. */
export async function ask(http: Http & Silence, what: string, { signal, ...question }: Question): Promise<Reply> {
  const once = async (attempt: number): Promise<Reply> => {
    const { status, headers, body } = await http.stream({ ...question, silenceMs: http.wholeMs }, signal);
    const bytes = await readWhole(body, MAX_REPLY_BYTES);
    // 501: the server knows no such request, and will not know it a moment later.
    if (status >= 500 && status !== 501) throw new ServerFault(question.url.origin, status, bytes);
    return { status, headers, body: bytes, wasRepeated: attempt > 1 };
  };
  const explain = (thrown: unknown): ActionableError => unanswered(what, question.url, thrown);
  return askAgain(once, { pace: PACE, isPassing: () => true, explain }, signal);
}

/** Asks once, with the body and the answer as streams: chunks cannot be sent twice, so the caller decides whether to repeat. */
export async function askStreaming(
  http: Http & Silence,
  what: string,
  { signal, chunks, ...question }: Omit<Question, 'body'> & { readonly chunks?: AsyncIterable<Uint8Array> },
): Promise<StreamedAnswer> {
  try {
    return await http.stream({ ...question, body: chunks, silenceMs: http.streamMs }, signal);
  } catch (thrown) {
    signal?.throwIfAborted();
    // Every other error comes from the chunks.
    const isOfNetwork = thrown instanceof NoAnswerError || codeOf(thrown)?.startsWith('E') === true;
    throw isOfNetwork ? unanswered(what, question.url, thrown) : thrown;
  }
}

function unanswered(what: string, url: URL, cause: unknown): ActionableError {
  return new ActionableError({
    what,
    why: cause instanceof ServerFault ? cause.message : `${url.origin} did not answer: ${messageOf(cause)}`,
    next: `check that the state store answers: curl -i ${url.origin}/`,
    cause,
  });
}

import type { InitializeMiddleware, MiddlewareStack } from '@smithy/types';

/** Requests whose commands begin with these change nothing. */
const READS = /^(Describe|Get|List)/;

/** A person may look at a plan for a long time before it is carried out. */
const MAX_AGE_MS = 5_000;

/** A client of one AWS service, as far as its requests can be seen. */
interface Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- each client has types of its own for what it is asked
  readonly middlewareStack: Pick<MiddlewareStack<any, any>, 'add'>;
}

/**
 * The read requests that a run has sent to AWS so far. Until the run changes something, the same request is sent once,
 * whichever task makes it: a plan sends each request once. From the first change on, every request is sent, because what
 * was read may be out of date.
 */
export class ReadOnce {
  readonly #answers = new Map<string, { readonly answer: Promise<unknown>; readonly askedMs: number }>();
  readonly #nowMs: () => number;
  #hasWritten = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Answers the client's requests from here. */
  watch(client: Client): void {
    const middleware: InitializeMiddleware<object, object> = (next, context) => async (args) => {
      const command = context['commandName'];
      if (!READS.test(String(command))) this.#hasWritten = true;
      if (this.#hasWritten) return next(args);
      const question = `${String(context['clientName'])} ${String(command)} ${JSON.stringify(args.input)}`;
      const known = this.#answers.get(question);
      const nowMs = this.#nowMs();
      if (known !== undefined && nowMs - known.askedMs < MAX_AGE_MS) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to this very question
        return known.answer as ReturnType<typeof next>;
      }
      const answer = next(args);
      this.#answers.set(question, { answer, askedMs: nowMs });
      // All callers that wait for it get the error, and the next caller sends the request again.
      answer.catch(() => this.#answers.delete(question));
      return answer;
    };
    client.middlewareStack.add(middleware, { step: 'initialize', name: 'readOnce' });
  }

  /** Whether one answer serves all callers that send the same request. */
  get areShared(): boolean {
    return !this.#hasWritten;
  }

  /** Makes every request be sent again: what a caller waits for may exist by now. */
  forget(): void {
    this.#answers.clear();
  }
}

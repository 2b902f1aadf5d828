/**
 * Asks one program many questions at once. Questions that arrive while it runs are asked together in the next run:
 * starting a program blocks a large process like ours for 5 ms.
 */
export class Together<Answer> {
  readonly #askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  #waiting = new Map<string, PromiseWithResolvers<Answer | undefined>>();
  #isAsking = false;

  constructor(askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>) {
    this.#askAll = askAll;
  }

  /** Resolves with undefined when there is no answer for this key. The answer was true at some time after this call. */
  async ask(key: string, signal: AbortSignal): Promise<Answer | undefined> {
    signal.throwIfAborted();
    const question = this.#waiting.get(key) ?? Promise.withResolvers<Answer | undefined>();
    this.#waiting.set(key, question);
    // Questions of the same turn of the event loop share a run.
    setImmediate(() => void this.#run());
    const answer = await question.promise;
    signal.throwIfAborted();
    return answer;
  }

  async #run(): Promise<void> {
    if (this.#isAsking || this.#waiting.size === 0) return;
    this.#isAsking = true;
    const questions = this.#waiting;
    this.#waiting = new Map();
    try {
      const answers = await this.#askAll([...questions.keys()]);
      for (const [key, { resolve }] of questions) resolve(answers.get(key));
    } catch (error) {
      for (const { reject } of questions.values()) reject(error);
    } finally {
      this.#isAsking = false;
    }
    await this.#run();
  }
}

/**
 * What this run has asked AWS to make. Answers of AWS lag behind what was done: a resource that was just made may not
 * be found, and the answer to a request that made one may be lost. Whoever took either for "it is not there" would
 * make it twice.
 */
export class Made {
  readonly #ids = new Map<string, string>();
  readonly #doubtUntilMs = new Map<string, number>();
  readonly #nowMs: () => number;
  readonly #doubtMs: number;

  constructor(nowMs: () => number, doubtMs: number) {
    this.#nowMs = nowMs;
    this.#doubtMs = doubtMs;
  }

  /** The id of what was made for a task. */
  idOf(task: string): string | undefined {
    return this.#ids.get(task);
  }

  remember(task: string, id: string): void {
    this.#ids.set(task, id);
    this.#doubtUntilMs.delete(task);
  }

  /** A request to make it may or may not have reached AWS. */
  doubt(task: string): void {
    this.#doubtUntilMs.set(task, this.#nowMs() + this.#doubtMs);
  }

  /** Whether it may yet turn up. */
  isDoubtful(task: string): boolean {
    return this.#nowMs() < (this.#doubtUntilMs.get(task) ?? -Infinity);
  }
}

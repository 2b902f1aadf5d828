/**
 * What this run has asked AWS to create. AWS is eventually consistent: a resource that was just created may not be
 * found, and the response to a request may be lost. Treating either case as "does not exist" would create the resource
 * twice.
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

  /** The id of the resource that was created for a task. */
  idOf(task: string): string | undefined {
    return this.#ids.get(task);
  }

  remember(task: string, id: string): void {
    this.#ids.set(task, id);
    this.#doubtUntilMs.delete(task);
  }

  /** What was created turned out not to work: it is created again. */
  forget(task: string): void {
    this.#ids.delete(task);
  }

  /** Records that a request to create it may or may not have reached AWS. */
  doubt(task: string): void {
    this.#doubtUntilMs.set(task, this.#nowMs() + this.#doubtMs);
  }

  /** Whether it may still appear. */
  isDoubtful(task: string): boolean {
    return this.#nowMs() < (this.#doubtUntilMs.get(task) ?? -Infinity);
  }
}

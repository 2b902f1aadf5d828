/** Longer errors say the same again: the state of a machine is read with every list of Nodes. */
const MAX_TEXT = 300;

/** Why authorities that called could not renew what this machine has from them. */
export class Renewal {
  #failure: string | undefined;

  /** Why the last call failed; undefined after one that went well. */
  get failure(): string | undefined {
    return this.#failure;
  }

  worked(): void {
    this.#failure = undefined;
  }

  failed(error: unknown): void {
    this.#failure = (error instanceof Error ? error.message : String(error)).slice(0, MAX_TEXT);
  }
}

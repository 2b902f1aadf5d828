/** Somebody waiting for a place. */
interface Waiting {
  readonly kind: string;
  readonly rank: number;
  readonly enter: (leave: () => void) => void;
}

/**
 * The places at work: so many in all, and so many of each kind. Who waits is let in by rank, the
 * lowest first; a kind that is full holds up nobody of another kind.
 */
export class Places {
  readonly #capacity: number;
  readonly #capacityOf: (kind: string) => number;
  readonly #takenOf = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(capacity: number, capacityOf: (kind: string) => number) {
    this.#capacity = capacity;
    this.#capacityOf = capacityOf;
  }

  /** Waits for a place; what it resolves to gives the place back. */
  async enter(kind: string, rank: number): Promise<() => void> {
    return new Promise((enter) => {
      const at = this.#waiting.findIndex((other) => other.rank > rank);
      this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, { kind, rank, enter });
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#taken < this.#capacity) {
      const at = this.#waiting.findIndex(({ kind }) => this.#takenBy(kind) < this.#capacityOf(kind));
      const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#count(next.kind, 1);
      next.enter(() => {
        this.#count(next.kind, -1);
        this.#admit();
      });
    }
  }

  #takenBy(kind: string): number {
    return this.#takenOf.get(kind) ?? 0;
  }

  #count(kind: string, by: 1 | -1): void {
    this.#taken += by;
    this.#takenOf.set(kind, this.#takenBy(kind) + by);
  }
}

/** A task that waits for a place. */
interface Waiting {
  readonly rank: number;
  readonly enter: (leave: () => void) => void;
}

interface Kind {
  taken: number;
  readonly capacity: number;
  /** By rank. */
  readonly waiting: Waiting[];
}

/**
 * Limits how many tasks run at once, in all and of each kind. Waiting tasks enter by rank, the lowest first; a kind that
 * is full does not hold up tasks of other kinds.
 */
export class Places {
  readonly #capacity: number;
  readonly #capacityOf: (kind: string) => number;
  readonly #kinds = new Map<string, Kind>();
  #taken = 0;

  constructor(capacity: number, capacityOf: (kind: string) => number) {
    this.#capacity = capacity;
    this.#capacityOf = capacityOf;
  }

  /** Waits for a place. Resolves with a function that gives it back. */
  async enter(name: string, rank: number): Promise<() => void> {
    const kind = this.#kinds.get(name) ?? { taken: 0, capacity: this.#capacityOf(name), waiting: [] };
    this.#kinds.set(name, kind);
    const entered = Promise.withResolvers<() => void>();
    // Most arrive in order, so their place is at the end.
    const behind = kind.waiting.findLastIndex((other) => other.rank <= rank);
    kind.waiting.splice(behind + 1, 0, { rank, enter: entered.resolve });
    this.#admit();
    return entered.promise;
  }

  #admit(): void {
    while (this.#taken < this.#capacity) {
      const kind = this.#nextKind();
      const next = kind?.waiting.shift();
      if (kind === undefined || next === undefined) return;
      kind.taken++;
      this.#taken++;
      next.enter(() => {
        kind.taken--;
        this.#taken--;
        this.#admit();
      });
    }
  }

  /** Among the kinds with a free place, the one whose first waiting task has the lowest rank. */
  #nextKind(): Kind | undefined {
    let first: Kind | undefined;
    for (const kind of this.#kinds.values()) {
      if (kind.taken < kind.capacity && rankOf(kind) < rankOf(first)) first = kind;
    }
    return first;
  }
}

function rankOf(kind: Kind | undefined): number {
  return kind?.waiting[0]?.rank ?? Infinity;
}

/** An entry with the time at which it is due. A cancelled entry is skipped. */
export interface Deadline<T> {
  readonly atMs: number;
  readonly what: T;
  isCancelled: boolean;
}

/** A priority queue by time. Adding and taking are O(log n). */
export class Deadlines<T> {
  /** A binary heap: no entry is due before its parent, the one at half its position. */
  readonly #heap: Deadline<T>[] = [];

  add(atMs: number, what: T): Deadline<T> {
    const deadline = { atMs, what, isCancelled: false };
    let at = this.#heap.length;
    this.#heap.push(deadline);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || above.atMs <= atMs) break;
      this.#heap[at] = above;
      at = parent;
    }
    this.#heap[at] = deadline;
    return deadline;
  }

  /** When the next entry is due; Infinity where there is none. */
  nextMs(): number {
    this.#dropCancelled();
    return this.#heap[0]?.atMs ?? Infinity;
  }

  /** Takes the next entry that is due at `nowMs`. */
  takeDue(nowMs: number): T | undefined {
    this.#dropCancelled();
    const first = this.#heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#removeFirst();
    return first.what;
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.isCancelled === true) this.#removeFirst();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      const right = left + 1;
      const leftOne = this.#heap[left];
      if (leftOne === undefined) break;
      const rightOne = this.#heap[right];
      const [child, sooner] =
        rightOne !== undefined && rightOne.atMs < leftOne.atMs ? [right, rightOne] : [left, leftOne];
      if (last.atMs <= sooner.atMs) break;
      this.#heap[at] = sooner;
      at = child;
    }
    this.#heap[at] = last;
  }
}

/**
 * How much each machine may have in an hour, over all its connections. One that asks for more is broken or hostile:
 * what it takes, it takes from the store and the API server of the whole cluster.
 */
export class Allowance {
  readonly #perHour: number;
  readonly #nowMs: () => number;
  readonly #used = new Map<string, { sinceMs: number; amount: number; last?: string | undefined }>();

  constructor(perHour: number, nowMs: () => number) {
    this.#perHour = perHour;
    this.#nowMs = nowMs;
  }

  /**
   * Whether that much is left; if so, it is used.
   *
   * @param what what is taken, if asking again for the same uses nothing
   */
  take(machine: string, amount = 1, what?: string): boolean {
    const nowMs = this.#nowMs();
    let used = this.#used.get(machine);
    if (used === undefined || nowMs - used.sinceMs > HOUR_MS) {
      this.#forgetOld(nowMs);
      used = { sinceMs: nowMs, amount: 0 };
      this.#used.set(machine, used);
    }
    if (what !== undefined && used.last === what) return true;
    if (used.amount + amount > this.#perHour) return false;
    used.amount += amount;
    used.last = what;
    return true;
  }

  #forgetOld(nowMs: number): void {
    for (const [machine, { sinceMs }] of this.#used) if (nowMs - sinceMs > HOUR_MS) this.#used.delete(machine);
  }
}

const HOUR_MS = 60 * 60_000;

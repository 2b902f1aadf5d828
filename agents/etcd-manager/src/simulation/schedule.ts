import type { Random } from './random.ts';

interface Pending {
  readonly who: string;
  readonly what: string;
  readonly go: () => void;
}

interface Sleeper {
  readonly who: string;
  readonly atMs: number;
  readonly go: () => void;
}

/**
 * Decides what happens next. Every call of a manager to the store, to its volume or to an etcd waits here until it is chosen,
 * so any order of the calls of all managers can happen, and a manager can be paused between any two of its calls.
 */
export class Schedule {
  nowMs = 0;
  readonly trace: string[] = [];
  readonly #random: Random;
  readonly #paused = new Set<string>();
  #pending: Pending[] = [];
  #sleepers: Sleeper[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  note(what: string): void {
    this.trace.push(`${this.nowMs} ${what}`);
  }

  /** Resolves when this call is chosen. */
  turn(who: string, what: string): Promise<void> {
    return new Promise((go) => this.#pending.push({ who, what, go }));
  }

  sleep(who: string, ms: number): Promise<void> {
    return new Promise((go) => this.#sleepers.push({ who, atMs: this.nowMs + ms, go }));
  }

  /** A process has ended: none of its calls goes on. */
  forget(who: string): void {
    this.#pending = this.#pending.filter((one) => one.who !== who);
    this.#sleepers = this.#sleepers.filter((one) => one.who !== who);
    this.#paused.delete(who);
  }

  pause(who: string): void {
    this.#paused.add(who);
  }

  resume(): void {
    this.#paused.clear();
  }

  get paused(): ReadonlySet<string> {
    return this.#paused;
  }

  /** Lets one call happen, or some time pass. */
  async step(): Promise<void> {
    const ready = this.#pending.filter(({ who }) => !this.#paused.has(who));
    if (ready.length > 0 && !this.#random.chance(0.02)) {
      const chosen = this.#random.pick(ready);
      this.#pending = this.#pending.filter((one) => one !== chosen);
      chosen.go();
    } else this.#advance();
    // Everything that follows from it happens now: nothing else is waiting for the outside.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #advance(): void {
    const next = Math.min(...this.#sleepers.map(({ atMs }) => atMs), this.nowMs + 5_000);
    this.nowMs = Math.max(this.nowMs, next);
    const awake = this.#sleepers.filter(({ atMs }) => atMs <= this.nowMs);
    this.#sleepers = this.#sleepers.filter(({ atMs }) => atMs > this.nowMs);
    for (const { go } of awake) go();
  }
}

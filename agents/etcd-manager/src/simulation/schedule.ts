import type { Random } from './random.ts';

interface Pending {
  readonly who: string;
  readonly go: () => void;
}

interface Sleeper extends Pending {
  readonly atMs: number;
}

/**
 * Decides what happens next. Every call of a manager to the store, to its volume or to an etcd waits here until it is chosen,
 * so any order of the calls of all managers can happen, and a manager can be paused between any two of its calls. Timers of a
 * paused manager do not go off either.
 */
export class Schedule {
  nowMs = 0;
  /** Without the time in which all machines slept. */
  awakeMs = 0;
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
  turn(who: string): Promise<void> {
    return new Promise((go) => this.#pending.push({ who, go }));
  }

  sleep(who: string, ms: number): Promise<void> {
    return new Promise((go) => this.#sleepers.push({ who, atMs: this.nowMs + ms, go }));
  }

  /** Aborts after this time, but not while its process is paused. */
  after(who: string, ms: number): AbortSignal {
    const ended = new AbortController();
    this.#sleepers.push({ who, atMs: this.nowMs + ms, go: () => ended.abort(new Error('the time is up')) });
    return ended.signal;
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
    } else this.pass(5_000);
    // Everything that follows from it happens now: nothing else is waiting for the outside.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets time pass until the next timer goes off, but at most this much. */
  pass(ms: number): void {
    const running = this.#sleepers.filter(({ who }) => !this.#paused.has(who));
    const nextMs = Math.max(0, Math.min(...running.map(({ atMs }) => atMs - this.nowMs), ms));
    this.awakeMs += nextMs;
    this.leap(nextMs);
  }

  /** Lets time pass at once, whatever was to happen meanwhile. */
  leap(ms: number): void {
    this.nowMs += ms;
    const isDue = ({ who, atMs }: Sleeper): boolean => atMs <= this.nowMs && !this.#paused.has(who);
    const awake = this.#sleepers.filter(isDue);
    this.#sleepers = this.#sleepers.filter((one) => !isDue(one));
    for (const { go } of awake) go();
  }
}

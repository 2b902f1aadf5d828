import type { Effects } from './swim/effects.ts';
import { createSwim, type Input, type Swim, type SwimConfig } from './swim/swim.ts';

/** Runs the SWIM state machine in real time: passes inputs to it, ticks it when it is due, and hands on its effects. */
export class SwimDriver {
  readonly #swim: Swim;
  readonly #nowMs: () => number;
  readonly #carryOut: (effects: Effects) => void;
  #timer: NodeJS.Timeout | undefined;
  #armedForMs = NaN;
  #isClosed = false;

  constructor(config: SwimConfig, nowMs: () => number, carryOut: (effects: Effects) => void) {
    this.#swim = createSwim(config, Math.random, nowMs());
    this.#nowMs = nowMs;
    this.#carryOut = carryOut;
  }

  /** What the peer believes. Only `step` changes it. */
  get beliefs(): Pick<Swim, 'members' | 'nodes' | 'state'> {
    return this.#swim;
  }

  step(input: Input): void {
    if (this.#isClosed) return;
    this.#carryOut(this.#swim.step(input, this.#nowMs()));
    this.arm();
  }

  /** Sets the timer for the next tick. */
  arm(): void {
    const atMs = this.#swim.nextTickMs();
    if (atMs === this.#armedForMs) return;
    this.#armedForMs = atMs;
    clearTimeout(this.#timer);
    // setImmediate: packets that arrived while the process was busy are read before the tick declares them missing.
    this.#timer = setTimeout(() => setImmediate(() => this.#tick()), Math.max(0, atMs - this.#nowMs()));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #tick(): void {
    this.#armedForMs = NaN;
    this.step({ kind: 'tick' });
  }
}

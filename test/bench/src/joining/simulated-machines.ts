import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { kill } from '../child-process.ts';
import type { FloodKind } from './flood.ts';
import type { Simulation, Told } from './machines-process.ts';

/** The simulated machines, and what has become of them. */
export class SimulatedMachines {
  /** What the cloud of these machines signs with: base64url of DER. */
  cloudKey = '';
  /** When each machine joined, in ms of performance.now(). */
  readonly joinedMs = new Map<string, number>();
  /** Calls in which a good machine did not join. */
  readonly failures: string[] = [];
  /** How often attackers of each kind were called, and the attackers that were taken for their machine. */
  readonly calls = new Map<FloodKind, number>();
  readonly taken = new Set<FloodKind>();
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #listening = Promise.withResolvers<void>();
  readonly #waiting = new Set<{ readonly count: number; readonly done: () => void }>();

  private constructor() {
    this.#child = fork(new URL('machines-process.ts', import.meta.url));
    this.#child.on('message', (told: Told) => this.#hear(told));
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the process of the machines ended (${code})`);
    });
    // It ends with the bench too, when nobody is waiting any more.
    this.#ended.catch(() => undefined);
  }

  /** Resolves when all of them listen. */
  static async start(simulation: Simulation): Promise<SimulatedMachines> {
    const machines = new SimulatedMachines();
    machines.#child.send(simulation);
    await Promise.race([machines.#listening.promise, machines.#ended]);
    return machines;
  }

  /** Resolves once that many machines have joined. @throws if they have not in this time */
  async joined(count: number, withinMs: number): Promise<void> {
    if (this.joinedMs.size >= count) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { count, done: resolve };
    this.#waiting.add(waiting);
    const late = setTimeout(() => {
      reject(new Error(`${this.joinedMs.size} of ${count} machines have joined after ${withinMs / 1000} s`));
    }, withinMs);
    await Promise.race([promise, this.#ended]).finally(() => {
      clearTimeout(late);
      this.#waiting.delete(waiting);
    });
  }

  stop(): Promise<void> {
    return kill(this.#child);
  }

  #hear(told: Told): void {
    switch (told.type) {
      case 'listening':
        this.cloudKey = told.cloudKey;
        this.#listening.resolve();
        break;
      case 'joined':
        if (!this.joinedMs.has(told.nodeName)) this.joinedMs.set(told.nodeName, performance.now());
        for (const { count, done } of this.#waiting) if (this.joinedMs.size >= count) done();
        break;
      case 'failed':
        this.failures.push(`${told.nodeName}: ${told.why}`);
        break;
      case 'called':
        this.calls.set(told.kind, (this.calls.get(told.kind) ?? 0) + 1);
        break;
      case 'taken':
        this.taken.add(told.kind);
    }
  }
}

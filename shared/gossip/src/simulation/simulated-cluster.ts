import { Deadlines } from '../swim/deadlines.ts';
import type { Effects, Exchange, OutgoingPacket, StreamPing, SwimEvent } from '../swim/effects.ts';
import type { Endpoint } from '../swim/endpoint.ts';
import { LAN, type SwimSettings } from '../swim/settings.ts';
import { createSwim, type Input, type Swim } from '../swim/swim.ts';
import type { NodeBelief, Versions } from '../wire/message.ts';
import { seededRandom } from './seeded-random.ts';

export const PORT = 7946;
const VERSIONS: Versions = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
const NO_META = new Uint8Array();
/** The latency within one data centre. */
const LATENCY_MS = { min: 0.2, max: 2 };

/** One machine of a simulated cluster. */
export interface SimulatedHost {
  readonly name: string;
  readonly address: string;
  swim: Swim;
  /** Whether packets and streams pass, in both directions. */
  isReachable: boolean;
  /** Whether its process is running. */
  isRunning: boolean;
}

type Happening =
  | { readonly kind: 'wake'; readonly host: number }
  | { readonly kind: 'input'; readonly host: number; readonly input: Input }
  | { readonly kind: 'call'; readonly call: () => void };

/** Receives what is sent to addresses outside the simulation. */
export interface Outside {
  packet(from: SimulatedHost, packet: OutgoingPacket): void;
  exchange(from: SimulatedHost, exchange: Exchange): void;
  streamPing(from: SimulatedHost, ping: StreamPing): void;
}

export interface ClusterOptions {
  readonly seed: number;
  /** The share of packets that are lost, 0 to 1. Streams retransmit. */
  readonly loss: number;
  readonly settings?: SwimSettings;
  /** The address of each machine; 10.0.0.0 and the following ones by default. */
  readonly addressOf?: (index: number) => string;
  /** Without it, no address outside the simulation is reachable. */
  readonly outside?: Outside;
  readonly onEvent?: (host: SimulatedHost, event: SwimEvent) => void;
}

/** Peers on a lossy network in virtual time. The same seed gives the same run. */
export class SimulatedCluster {
  readonly hosts: SimulatedHost[] = [];
  nowMs = 0;
  packets = 0;
  readonly #byAddress = new Map<string, number>();
  readonly #happenings = new Deadlines<Happening>();
  readonly #wakes: number[] = [];
  readonly #random: () => number;
  readonly #options: ClusterOptions;
  readonly #addressOf: (index: number) => string;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#addressOf = options.addressOf ?? addressOf;
    this.#random = seededRandom(options.seed);
  }

  /** Starts a machine, which knows the given nodes or none. */
  start(name = `n${this.hosts.length}`, known: readonly NodeBelief[] = []): SimulatedHost {
    const index = this.hosts.length;
    const address = this.#addressOf(index);
    const host = { name, address, swim: this.#create(name, address, known), isReachable: true, isRunning: true };
    this.hosts.push(host);
    this.#byAddress.set(address, index);
    this.#wakes.push(Infinity);
    this.#wake(index);
    return host;
  }

  /** Restarts a stopped machine without its state. */
  restart(host: SimulatedHost): void {
    host.swim = this.#create(host.name, host.address, []);
    host.isRunning = true;
    this.#wake(this.#indexOf(host.address));
  }

  /** Starts this many machines, which all know each other. */
  startAcquainted(count: number): void {
    const all: NodeBelief[] = Array.from({ length: count }, (_, index) => ({
      name: `n${index}`,
      address: this.#addressOf(index),
      port: PORT,
      meta: NO_META,
      incarnation: 1,
      state: 'alive',
      versions: VERSIONS,
    }));
    for (const { name } of all) this.start(name, all);
  }

  step(host: SimulatedHost, input: Input): void {
    this.#step(this.#indexOf(host.address), input);
  }

  join(host: SimulatedHost, seed: SimulatedHost): void {
    this.step(host, { kind: 'join', to: { address: seed.address, port: PORT } });
  }

  at(atMs: number, call: () => void): void {
    this.#happenings.add(atMs, { kind: 'call', call });
  }

  /** Advances time until a condition holds. Returns whether it held within `maxMs`. */
  runUntil(isSo: () => boolean, maxMs: number): boolean {
    const endMs = this.nowMs + maxMs;
    while (!isSo()) {
      const nextMs = this.#happenings.nextMs();
      if (nextMs > endMs) {
        this.nowMs = endMs;
        return isSo();
      }
      this.nowMs = Math.max(this.nowMs, nextMs);
      const happening = this.#happenings.takeDue(this.nowMs);
      if (happening !== undefined) this.#happen(happening);
    }
    return true;
  }

  run(ms: number): void {
    this.runUntil(() => false, ms);
  }

  #create(name: string, address: string, known: readonly NodeBelief[]): Swim {
    const random = seededRandom(Math.floor(this.#random() * 0x1_00_00_00_00));
    const settings = this.#options.settings ?? LAN;
    const config = { name, address, port: PORT, meta: NO_META, versions: VERSIONS, settings, label: '' };
    return createSwim(config, random, this.nowMs, known);
  }

  #happen(happening: Happening): void {
    switch (happening.kind) {
      case 'wake':
        if (this.#wakes[happening.host] === this.nowMs) this.#wakes[happening.host] = Infinity;
        this.#step(happening.host, { kind: 'tick' });
        break;
      case 'input':
        if (this.hosts[happening.host]?.isReachable === true) this.#step(happening.host, happening.input);
        break;
      case 'call':
        happening.call();
        break;
    }
  }

  #step(index: number, input: Input): void {
    const host = this.hosts[index];
    if (host === undefined || !host.isRunning) return;
    this.#carryOut(host, index, host.swim.step(input, this.nowMs));
    this.#wake(index);
  }

  #wake(index: number): void {
    // A suspicion that confirmations shorten can be overdue.
    const atMs = Math.max(this.nowMs, this.hosts[index]?.swim.nextTickMs() ?? Infinity);
    if (atMs >= (this.#wakes[index] ?? Infinity)) return;
    this.#wakes[index] = atMs;
    this.#happenings.add(atMs, { kind: 'wake', host: index });
  }

  #carryOut(host: SimulatedHost, index: number, effects: Effects): void {
    for (const event of effects.events) this.#options.onEvent?.(host, event);
    this.packets += effects.packets.length;
    if (!host.isReachable) return;
    const from = { address: host.address, port: PORT };
    const { outside } = this.#options;
    for (const packet of effects.packets) {
      const { to, parts } = packet;
      if (this.#random() < this.#options.loss) continue;
      if (this.#isOutside(to)) outside?.packet(host, packet);
      else this.#arrive(to, this.#latencyMs(), { kind: 'packet', from, messages: parts.map(({ message }) => message) });
    }
    for (const exchange of effects.exchanges) {
      if (this.#isOutside(exchange.to)) outside?.exchange(host, exchange);
      else this.#exchange(index, exchange.to, exchange.isJoin);
    }
    for (const ping of effects.streamPings) {
      const { to, node, seqNo } = ping;
      if (this.#isOutside(to)) outside?.streamPing(host, ping);
      const other = this.hosts[this.#byAddress.get(to.address) ?? -1];
      if (other?.isReachable !== true || other.name !== node) continue;
      const kind = other.isRunning ? 'streamAck' : 'streamRefused';
      this.#arrive(host, this.#latencyMs() * 4, { kind, seqNo });
    }
  }

  /** Connecting, asking and answering take four one-way trips. */
  #exchange(asking: number, to: Endpoint, isJoin: boolean): void {
    const here = this.hosts[asking];
    const there = this.#reachable(to);
    if (here === undefined || there === undefined) return;
    const asked = here.swim.state();
    const ms = this.#latencyMs() * 3;
    this.at(this.nowMs + ms, () => {
      const answer = there.swim.state();
      const from = { address: here.address, port: PORT };
      const back = { address: there.address, port: PORT };
      this.#step(this.#indexOf(there.address), { kind: 'state', from, isJoin: false, nodes: asked });
      this.#arrive(here, this.#latencyMs(), { kind: 'state', from: back, isJoin, nodes: answer });
    });
  }

  #reachable(at: Endpoint): SimulatedHost | undefined {
    const host = this.hosts[this.#byAddress.get(at.address) ?? -1];
    return host?.isReachable === true && host.isRunning ? host : undefined;
  }

  #arrive(to: { readonly address: string }, afterMs: number, input: Input): void {
    const host = this.#byAddress.get(to.address);
    if (host !== undefined) this.#happenings.add(this.nowMs + afterMs, { kind: 'input', host, input });
  }

  #isOutside(to: Endpoint): boolean {
    return !this.#byAddress.has(to.address);
  }

  #latencyMs(): number {
    return LATENCY_MS.min + this.#random() * (LATENCY_MS.max - LATENCY_MS.min);
  }

  #indexOf(address: string): number {
    const index = this.#byAddress.get(address);
    if (index === undefined) throw new Error(`no simulated host has the address ${address}`);
    return index;
  }
}

function addressOf(index: number): string {
  return `10.${(index >> 16) & 0xff}.${(index >> 8) & 0xff}.${index & 0xff}`;
}

import { RecordMap } from '../records/record-map.ts';
import { keyOf, type DnsName } from '../records/record.ts';
import { decodeRecord, encodeRecord, encodeRecords } from '../records/record-codec.ts';
import type { Exchange, StreamPing, SwimEvent } from '../swim/effects.ts';
import type { Endpoint } from '../swim/endpoint.ts';
import { askByStream, serveStreams, STREAM_TIMEOUT_MS, type StreamServer } from '../transport/tcp.ts';
import { openPacketSocket, type PacketSocket } from '../transport/udp.ts';
import { encodeMessage, encodePushPull } from '../wire/encode-message.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Secrecy } from '../wire/secrecy.ts';
import type { StreamMessage } from '../wire/stream.ts';
import { PORT, SimulatedCluster, type SimulatedHost } from './simulated-cluster.ts';

/** How often virtual time catches up with real time. */
const BEAT_MS = 2;
const NONE = new Uint8Array();
/** Each takes a few dozen bytes in each simulated machine. */
const MAX_HEARD = 256;

export interface ReachableClusterOptions {
  readonly peers: number;
  readonly secrecy: Secrecy;
  readonly addressOf: (index: number) => string;
  readonly onRefused: (from: Endpoint, refusal: Refusal) => void;
}

interface Sockets {
  readonly packets: PacketSocket;
  readonly streams: StreamServer;
}

/** Starts the machines, which all know each other, and opens their sockets. */
export async function openReachableCluster(options: ReachableClusterOptions): Promise<ReachableCluster> {
  const cluster = new ReachableCluster(options);
  await cluster.open(options.peers);
  return cluster;
}

/**
 * Simulated machines that real peers can reach: each has real UDP and TCP sockets at its address and answers sealed as
 * a real peer does. Among themselves the simulated machines communicate in memory. So one processor carries a thousand,
 * and a real peer sees no difference.
 */
export class ReachableCluster {
  readonly #secrecy: Secrecy;
  readonly #onRefused: ReachableClusterOptions['onRefused'];
  readonly #cluster: SimulatedCluster;
  readonly #sockets = new Map<SimulatedHost, Sockets>();
  /** The records of all simulated machines, as each of them would hold them. */
  readonly #records = new Map<string, RecordMap>();
  readonly #heard = new Map<SimulatedHost, Set<string>>();
  #timer: NodeJS.Timeout | undefined;
  #startedMs = 0;
  #worstLagMs = 0;

  constructor({ secrecy, onRefused, addressOf }: ReachableClusterOptions) {
    this.#secrecy = secrecy;
    this.#onRefused = onRefused;
    this.#cluster = new SimulatedCluster({
      seed: 1,
      loss: 0,
      addressOf,
      outside: {
        packet: (from, packet) => this.#sockets.get(from)?.packets.send(packet),
        exchange: (from, exchange) => void this.#exchangeStates(from, exchange),
        streamPing: (from, ping) => void this.#pingByStream(from, ping),
      },
      onEvent: (host, event) => this.#hear(host, event),
    });
  }

  get hosts(): readonly SimulatedHost[] {
    return this.#cluster.hosts;
  }

  async open(peers: number): Promise<void> {
    this.#cluster.startAcquainted(peers);
    for (const host of this.#cluster.hosts) await this.#listen(host);
    this.#startedMs = performance.now();
    this.#timer = setInterval(() => {
      this.#worstLagMs = Math.max(this.#worstLagMs, this.#lagMs());
      this.#cluster.run(Math.max(0, this.#lagMs()));
    }, BEAT_MS);
  }

  /**
   * The largest lag of virtual time behind real time since the last call. During a lag, the simulated peers are slower
   * than real ones.
   */
  takeWorstLagMs(): number {
    const worst = this.#worstLagMs;
    this.#worstLagMs = 0;
    return worst;
  }

  /** Replaces the names of a machine and broadcasts them. */
  publish(host: SimulatedHost, names: readonly DnsName[]): void {
    const map = this.#records.get(host.name) ?? new RecordMap(host.name);
    this.#records.set(host.name, map);
    for (const record of map.publish(names, performance.timeOrigin + performance.now())) {
      this.#cluster.step(host, { kind: 'say', about: keyOf(record), payload: encodeRecord(record), isOwn: true });
    }
  }

  /** Starts one more machine, which joins through `seed`. */
  async add(name: string, seed: SimulatedHost): Promise<SimulatedHost> {
    const host = this.#cluster.start(name);
    await this.#listen(host);
    this.#cluster.join(host, seed);
    return host;
  }

  /** A machine leaves the cluster; it keeps running. */
  leave(host: SimulatedHost): void {
    this.#cluster.step(host, { kind: 'leave' });
  }

  /** Stops a machine without leaving. */
  async stop(host: SimulatedHost): Promise<void> {
    host.isRunning = false;
    this.#records.delete(host.name);
    this.#heard.delete(host);
    const open = this.#sockets.get(host);
    this.#sockets.delete(host);
    await Promise.all([open?.packets.close(), open?.streams.close()]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sockets.keys()].map((host) => this.stop(host)));
  }

  #lagMs(): number {
    return performance.now() - this.#startedMs - this.#cluster.nowMs;
  }

  /** A machine that receives a record for the first time rebroadcasts it. */
  #hear(host: SimulatedHost, event: SwimEvent): void {
    if (event.kind !== 'user') return;
    const record = decodeRecord(event.payload);
    if (record === undefined || record instanceof Refusal || 'signature' in record) return;
    const about = keyOf(record);
    const version = `${about} ${record.stamp.ms} ${record.stamp.count}`;
    const known = this.#heard.get(host) ?? new Set();
    this.#heard.set(host, known);
    if (known.has(version)) return;
    known.add(version);
    // A broadcast from long ago does not come again.
    if (known.size > MAX_HEARD) known.delete([...known][0] ?? '');
    const { payload } = event;
    const cluster = this.#cluster;
    cluster.at(cluster.nowMs, () => cluster.step(host, { kind: 'say', about, payload, isOwn: false }));
  }

  async #exchangeStates(host: SimulatedHost, { to, isJoin }: Exchange): Promise<void> {
    const reply = await this.#ask(to, this.#state(host, isJoin), STREAM_TIMEOUT_MS);
    if (reply?.kind === 'pushPull') this.#cluster.step(host, { kind: 'state', from: to, isJoin, nodes: reply.nodes });
  }

  async #pingByStream(host: SimulatedHost, { to, node, seqNo, timeoutMs }: StreamPing): Promise<void> {
    const reply = await this.#ask(to, encodeMessage({ kind: 'ping', seqNo, node }), timeoutMs);
    if (reply?.kind === 'ack') this.#cluster.step(host, { kind: 'streamAck', seqNo });
  }

  /** Undefined without an answer: a real machine may be down. */
  async #ask(to: Endpoint, question: Uint8Array, timeoutMs: number): Promise<StreamMessage | undefined> {
    const query = { to, question: async () => question, secrecy: this.#secrecy, timeoutMs };
    return askByStream(query).catch(() => undefined);
  }

  #answer(host: SimulatedHost, from: Endpoint, message: StreamMessage): Uint8Array | undefined {
    if (!host.isReachable || !host.isRunning) return undefined;
    if (message.kind === 'ping') return encodeMessage({ kind: 'ack', seqNo: message.seqNo, payload: NONE });
    if (message.kind !== 'pushPull') return undefined;
    this.#cluster.step(host, { kind: 'state', from, isJoin: false, nodes: message.nodes });
    return this.#state(host, false);
  }

  #state(host: SimulatedHost, join: boolean): Uint8Array {
    const userState = encodeRecords({
      unsigned: [...this.#records.values()].flatMap((map) => map.all()),
      signed: [],
    });
    return encodePushPull({ kind: 'pushPull', join, nodes: host.swim.state(), userState });
  }

  async #listen(host: SimulatedHost): Promise<void> {
    const at = { address: host.address, port: PORT };
    const packets = await openPacketSocket(at, () => this.#secrecy, {
      onMessages: (from, messages) => {
        if (host.isReachable) this.#cluster.step(host, { kind: 'packet', from, messages });
      },
      onRefused: this.#onRefused,
      onSendError: () => undefined,
    });
    const streams = await serveStreams(at, () => this.#secrecy, {
      onMessage: (from, message) => this.#answer(host, from, message),
      onRefused: this.#onRefused,
      onBroken: () => undefined,
    });
    this.#sockets.set(host, { packets, streams });
  }
}

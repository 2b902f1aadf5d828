import { RecordMap } from '../records/record-map.ts';
import type { DnsName } from '../records/record.ts';
import { decodeRecord, encodeRecord, encodeRecords } from '../records/record-codec.ts';
import type { Endpoint, Exchange, StreamPing, SwimEvent } from '../swim/effects.ts';
import { askByStream, serveStreams, STREAM_TIMEOUT_MS, type StreamServer } from '../transport/tcp.ts';
import { openPacketSocket, type PacketSocket } from '../transport/udp.ts';
import { encodeMessage, encodePushPull } from '../wire/encode-message.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Secrecy } from '../wire/secrecy.ts';
import type { StreamMessage } from '../wire/stream.ts';
import { PORT, SimulatedCluster, type SimulatedHost } from './simulated-cluster.ts';

/** How often virtual time is brought up to real time. */
const BEAT_MS = 2;
const NONE = new Uint8Array();

export interface ReachableCluster {
  readonly hosts: readonly SimulatedHost[];
  /** How far virtual time was behind real time since this was asked last: what is measured then is of slower peers. */
  takeWorstLagMs(): number;
  /** Makes a machine's names these from now on, and tells the others. */
  publish(host: SimulatedHost, names: readonly DnsName[]): void;
  /** Starts one more machine, which joins by another one. */
  add(name: string, seed: SimulatedHost): Promise<SimulatedHost>;
  /** A machine says good-bye; it still runs. */
  leave(host: SimulatedHost): void;
  /** A machine stops, and says nothing any more. */
  stop(host: SimulatedHost): Promise<void>;
  close(): Promise<void>;
}

/**
 * Simulated machines around real ones: each has a real socket at its address, for packets and for streams, and answers
 * there sealed as a real peer does; among themselves the simulated ones talk in memory. So one processor carries a
 * thousand, and a real peer notices no difference.
 */
export async function openReachableCluster(options: {
  readonly peers: number;
  readonly secrecy: Secrecy;
  readonly addressOf: (index: number) => string;
  readonly onRefused: (from: Endpoint, refusal: Refusal) => void;
}): Promise<ReachableCluster> {
  const { secrecy, onRefused } = options;
  const sockets = new Map<SimulatedHost, { readonly packets: PacketSocket; readonly streams: StreamServer }>();
  /** Whose names are which: those of all simulated machines at once, as each of them would know them. */
  const records = new Map<string, RecordMap>();
  const heard = new Map<SimulatedHost, Set<string>>();
  const at = (host: SimulatedHost): Endpoint => ({ address: host.address, port: PORT });
  const userState = (): Uint8Array => encodeRecords([...records.values()].flatMap((map) => map.all()));
  const state = (host: SimulatedHost, join: boolean): Uint8Array =>
    encodePushPull({ kind: 'pushPull', join, nodes: host.swim.state(), userState: userState() });

  const cluster = new SimulatedCluster({
    seed: 1,
    loss: 0,
    addressOf: options.addressOf,
    outside: {
      packet: (from, packet) => sockets.get(from)?.packets.send(packet),
      exchange: (from, exchange) => void exchangeStates(from, exchange),
      streamPing: (from, ping) => void pingByStream(from, ping),
    },
    onEvent: hear,
  });

  /** Who hears a record for the first time says it on. */
  function hear(host: SimulatedHost, event: SwimEvent): void {
    if (event.kind !== 'user') return;
    const record = decodeRecord(event.payload);
    if (record === undefined || record instanceof Refusal) return;
    const about = `${record.owner} ${record.type} ${record.name}`;
    const version = `${about} ${record.stamp.ms} ${record.stamp.count}`;
    const known = heard.get(host) ?? new Set();
    heard.set(host, known);
    if (known.has(version)) return;
    known.add(version);
    // What was said long ago comes no more.
    if (known.size > MAX_HEARD) known.delete([...known][0] ?? '');
    const { payload } = event;
    cluster.at(cluster.nowMs, () => cluster.step(host, { kind: 'say', about, payload, isOwn: false }));
  }

  async function exchangeStates(host: SimulatedHost, { to, isJoin }: Exchange): Promise<void> {
    const reply = await ask(to, state(host, isJoin), STREAM_TIMEOUT_MS);
    if (reply?.kind === 'pushPull') cluster.step(host, { kind: 'state', from: to, isJoin, nodes: reply.nodes });
  }

  async function pingByStream(host: SimulatedHost, { to, node, seqNo, timeoutMs }: StreamPing): Promise<void> {
    const reply = await ask(to, encodeMessage({ kind: 'ping', seqNo, node }), timeoutMs);
    if (reply?.kind === 'ack') cluster.step(host, { kind: 'streamAck', seqNo });
  }

  /** Undefined where nobody answers: a real machine may just be away. */
  async function ask(to: Endpoint, question: Uint8Array, timeoutMs: number): Promise<StreamMessage | undefined> {
    return askByStream(to, async () => question, secrecy, timeoutMs).catch(() => undefined);
  }

  function answer(host: SimulatedHost, from: Endpoint, message: StreamMessage): Uint8Array | undefined {
    if (!host.isReachable || !host.isRunning) return undefined;
    if (message.kind === 'ping') return encodeMessage({ kind: 'ack', seqNo: message.seqNo, payload: NONE });
    if (message.kind !== 'pushPull') return undefined;
    cluster.step(host, { kind: 'state', from, isJoin: false, nodes: message.nodes });
    return state(host, false);
  }

  async function listen(host: SimulatedHost): Promise<void> {
    const packets = await openPacketSocket(at(host), () => secrecy, {
      onMessages(from, messages) {
        if (host.isReachable) cluster.step(host, { kind: 'packet', from, messages });
      },
      onRefused,
      onSendError: () => undefined,
    });
    const streams = await serveStreams(at(host), () => secrecy, {
      onMessage: (from, message) => answer(host, from, message),
      onRefused,
      onBroken: () => undefined,
    });
    sockets.set(host, { packets, streams });
  }

  async function stop(host: SimulatedHost): Promise<void> {
    host.isRunning = false;
    records.delete(host.name);
    heard.delete(host);
    const open = sockets.get(host);
    sockets.delete(host);
    await Promise.all([open?.packets.close(), open?.streams.close()]);
  }

  cluster.startAcquainted(options.peers);
  for (const host of cluster.hosts) await listen(host);
  const fromMs = performance.now();
  const lagMs = (): number => performance.now() - fromMs - cluster.nowMs;
  let worstLagMs = 0;
  const timer = setInterval(() => {
    worstLagMs = Math.max(worstLagMs, lagMs());
    cluster.run(Math.max(0, lagMs()));
  }, BEAT_MS);

  return {
    hosts: cluster.hosts,
    takeWorstLagMs() {
      const worst = worstLagMs;
      worstLagMs = 0;
      return worst;
    },
    publish(host, names) {
      const map = records.get(host.name) ?? new RecordMap(host.name);
      records.set(host.name, map);
      for (const record of map.publish(names, performance.timeOrigin + performance.now())) {
        const about = `${record.owner} ${record.type} ${record.name}`;
        cluster.step(host, { kind: 'say', about, payload: encodeRecord(record), isOwn: true });
      }
    },
    async add(name, seed) {
      const host = cluster.start(name);
      await listen(host);
      cluster.join(host, seed);
      return host;
    },
    leave: (host) => cluster.step(host, { kind: 'leave' }),
    stop,
    async close() {
      clearInterval(timer);
      await Promise.all([...sockets.keys()].map(stop));
    },
  };
}

/** Each is some dozen bytes, in each simulated machine. */
const MAX_HEARD = 256;
